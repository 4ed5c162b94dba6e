#pragma once

#include <filesystem>

namespace cudalabs {

/// Does `path` begin with `folder`? Both as they are written: links and ".." must have been followed before.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace cudalabs
