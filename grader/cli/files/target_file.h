#pragma once
// Checks output files before the long work.

#include <filesystem>

namespace cudalabs::cli {

/// Returns whether a file can be created in that folder. "" is the current folder.
bool takes_files(const std::filesystem::path& folder);

/// Returns whether text can be written to that file in place. For an existing file only its own permissions
/// matter, because a device's folder is not writable. For a missing file its folder must be writable.
bool takes_text(const std::filesystem::path& file);

}  // namespace cudalabs::cli
