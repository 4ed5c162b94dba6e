#include "grader/base/paths.h"

#include <algorithm>

namespace cudalabs {

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace cudalabs
