#pragma once
// Creates files that the user then completes.

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace cudalabs::cli {

struct NewFile {
  std::filesystem::path name;  ///< relative to the folder in which it is made
  std::string content;
};

/// Never follows or replaces an existing file. Returns whether the file was created. Error: it cannot be
/// written completely.
Result<bool> create_file(const std::filesystem::path& file, const std::string& content);

}  // namespace cudalabs::cli
