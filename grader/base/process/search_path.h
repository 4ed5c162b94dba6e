#pragma once
// Finds programs in the folders of PATH. Only absolute folders count: with "." in PATH a student's folder
// could supply a compiler.

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs {

/// An environment variable; "" if it is not set.
std::string environment(const char* name);

/// The absolute folders of PATH, in order. Those of a usual system if PATH is not set.
std::vector<std::filesystem::path> search_path();

/// "PATH=...", for the environment of a program that finds others by itself: ours, or that of a usual system.
std::string path_variable();

/// Whether this is a file that we may execute.
bool is_program(const std::filesystem::path& path);

/// The program `name` in the first of `folders` that has it; empty if none does.
std::filesystem::path first_program(const std::vector<std::filesystem::path>& folders,
                                    const std::string& name);

}  // namespace cudalabs
