#pragma once
// Files by which editors and IDEs understand a student's folder: its sources without a CUDA Toolkit, and the
// lines that the grader's commands name.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/cli/files/new_file.h"
#include "grader/course/lab.h"

namespace cudalabs::cli {

/// How other programs start this grader: "grader" if PATH finds it by that name, else its absolute path.
std::string own_command();

/// A link in the cache to this grader's CUDA headers; its name is the same for each version of the grader.
Result<std::filesystem::path> link_to_headers();

/// compile_flags.txt, CMakeLists.txt and .vscode/. `course`: what --course named, or "".
Result<std::vector<NewFile>> editor_files(const Lab& lab, const std::string& course);

}  // namespace cudalabs::cli
