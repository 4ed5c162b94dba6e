#pragma once
// Finds programs, and asks them what they are.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// A variable of the environment; "" if it is not set.
std::string environment(const char* name);

/// The folders of PATH, the absolute ones.
std::vector<std::filesystem::path> search_path();

/// The first of `folders` that holds a program `name`; empty if none does.
std::filesystem::path first_program(const std::vector<std::filesystem::path>& folders,
                                    const std::string& name);

/// What a compiler needs to be seen of, beside the system: /opt/gcc-13 for /opt/gcc-13/bin/g++, with its
/// headers and libraries; the program alone where it stands among others, as in a user's own bin/.
std::filesystem::path installation_of(const std::filesystem::path& program);

/// The program that a variable of the environment names, by path or as found in PATH. Empty: it names none.
Result<std::filesystem::path> named_program(const char* variable);

/// What `clang --version` prints. Kept in the cache for programs that take long to say it: by path,
/// size and time of change.
Result<std::string> version_said(const std::filesystem::path& program);

/// What nvcc or a C++ compiler prints when it is given `option`. An error: it fails, prints nothing, or takes
/// more than some seconds.
Result<std::string> asked(const std::filesystem::path& program, const std::string& option);

}  // namespace cudalabs
