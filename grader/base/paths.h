#pragma once

#include <filesystem>

namespace cudalabs {

/// True iff `path` begins with `folder`. Compares names only: resolve links and ".." first.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace cudalabs
