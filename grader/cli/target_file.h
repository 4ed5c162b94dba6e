#pragma once
// Where a command is asked to write: looked at before anything takes long.

#include <filesystem>

namespace cudalabs::cli {

/// Whether a file can be made in that folder. "" is the current one.
bool takes_files(const std::filesystem::path& folder);

/// Whether text can be written there in place. What is there decides by itself: a device's folder is
/// nobody's, and need not be. Where nothing is, its folder does.
bool takes_text(const std::filesystem::path& file);

}  // namespace cudalabs::cli
