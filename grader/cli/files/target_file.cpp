#include "grader/cli/files/target_file.h"

#include <unistd.h>

#include <system_error>

namespace cudalabs::cli {

namespace fs = std::filesystem;

bool takes_files(const fs::path& folder) {
  const fs::path place = folder.empty() ? "." : folder;
  std::error_code ignored;
  return fs::is_directory(place, ignored) && ::access(place.c_str(), W_OK) == 0;
}

bool takes_text(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return false;
  return fs::exists(file, ignored) ? ::access(file.c_str(), W_OK) == 0 : takes_files(file.parent_path());
}

}  // namespace cudalabs::cli
