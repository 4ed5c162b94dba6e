#pragma once
// Programs that variables name, where they are installed, and what they say about themselves.

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace cudalabs {

/// The folder that must be visible for a compiler, besides the system's: /opt/gcc-13 for /opt/gcc-13/bin/g++,
/// with its headers and libraries; only the program itself if it is among others, as in a user's own bin/.
std::filesystem::path installation_of(const std::filesystem::path& program);

/// The program that an environment variable names, by path or by a name in PATH. Empty: the variable is not
/// set.
Result<std::filesystem::path> named_program(const char* variable);

/// The output of `clang --version`. Slow programs' output is cached by path, size and time of change.
Result<std::string> version_said(const std::filesystem::path& program);

/// The output of nvcc or a C++ compiler for `option`. Error: it fails, prints nothing, or takes more than
/// some seconds.
Result<std::string> asked(const std::filesystem::path& program, const std::string& option);

}  // namespace cudalabs
