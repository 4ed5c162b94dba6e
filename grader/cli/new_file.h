#pragma once
// Files that a command makes for a person to fill in.

#include <filesystem>
#include <string>

#include "grader/support/result.h"

namespace cudalabs::cli {

struct NewFile {
  std::filesystem::path name;  ///< below the folder that it is made in
  std::string content;
};

/// Never follows or replaces what is there already. The value says whether the file was made. Error: it
/// cannot be written, or not completely.
Result<bool> create_file(const std::filesystem::path& file, const std::string& content);

}  // namespace cudalabs::cli
