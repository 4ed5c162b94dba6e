#pragma once
// The one folder on disk that the grader may fill and throw away: `${XDG_CACHE_HOME:-~/.cache}/cuda-labs`.
// What lies in it is executed later (compiled oracles, our libcudart), so it must be ours alone.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// Creates (mode 0700) and returns the cache folder. Where the home folder cannot be written,
/// /tmp/cuda-labs-<uid>. Error: a folder of that name belongs to somebody else or is open to others.
Result<std::filesystem::path> cache_folder();

/// Creates `folder` and what is missing above it with mode 0700. Error: not a real folder (a link, a file),
/// not owned by us, or writable by others.
Result<void> make_private_folder(const std::filesystem::path& folder);

/// What to do where `error_number` says that a file or folder `path` of the cache found no room; else "".
std::string room_hint(int error_number, const std::filesystem::path& path);

/// Writes a file under a temporary name in the same folder
/// and renames it into place, so that nobody sees half of it.
Result<void> write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Removes what a killed grader was about to put into this folder of a cache: NAME.XXXXXX (mkstemp, mkdtemp)
/// of ours, untouched for an hour. Nothing that is to stay there may be called so.
void sweep_unfinished(const std::filesystem::path& folder);

/// What lies in a folder of a cache, the oldest first; what goes away meanwhile is left out.
std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> by_age(
    const std::filesystem::path& folder);

/// The whole file. Error: cannot be read, not a regular file, or larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes);

/// 16 hex digits by which damage is noticed: a file that a power cut left empty or a full disk cut off,
/// zeros, flipped bits. Not malice: the folder is its user's own. Since what is damaged is made anew, nothing
/// in the cache is synchronised to the disk before it gets its name.
std::string damage_digest(std::string_view bytes);
/// The same of a file, which need not fit into memory.
Result<std::string> damage_digest_of(const std::filesystem::path& file);

/// `bytes` with their digest behind them, and what stood before it: nothing where that is damaged.
std::string sealed(std::string_view bytes);
std::optional<std::string> unsealed(std::string bytes);

/// 16 hex digits that name some contents in a cache. Not cryptographic: for trusted contents only.
std::string content_key(std::span<const std::string> parts);

}  // namespace cudalabs
