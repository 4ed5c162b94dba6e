#pragma once
// The one folder on disk that the grader may fill and delete: `${XDG_CACHE_HOME:-~/.cache}/cuda-labs`. The
// grader later executes files in it (compiled oracles, our libcudart), so nobody else may write to it.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// Creates (mode 0700) and returns the cache folder. If the home folder is not writable, this is
/// /tmp/cuda-labs-<uid>. Error: a folder of that name belongs to somebody else or is open to others.
Result<std::filesystem::path> cache_folder();

/// Creates `folder` and its missing parents with mode 0700. Error: not a real folder (a link, a file), not
/// owned by us, or writable by others.
Result<void> make_private_folder(const std::filesystem::path& folder);

/// Advice if `error_number` says that there was no space for the file or folder `path` of the cache; else no message.
Message room_hint(int error_number, const std::filesystem::path& path);

/// Writes a file under a temporary name in the same folder and renames it into place, so that nobody sees
/// half of it.
Result<void> write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Removes unfinished files of killed graders from this folder of a cache: our NAME.XXXXXX (mkstemp,
/// mkdtemp), untouched for an hour. No file that must stay may have such a name.
void sweep_unfinished(const std::filesystem::path& folder);

/// The files in a folder of a cache, the oldest first, without those that disappear meanwhile.
std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> by_age(
    const std::filesystem::path& folder);

/// The whole file. Error: it cannot be read, is not a regular file, or is larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes);

/// 16 hex digits that reveal damage: a file that is empty after a power cut, truncated by a full disk,
/// zeroed, or has flipped bits. They do not reveal malice: the folder is its user's own. Damaged files are
/// made anew, so nothing in the cache is synchronised to the disk before it gets its name.
std::string damage_digest(std::string_view bytes);
/// The same for a file, which need not fit into memory.
Result<std::string> damage_digest_of(const std::filesystem::path& file);

/// Appends a digest to `bytes`; removes the digest again. None: the bytes are damaged.
std::string sealed(std::string_view bytes);
std::optional<std::string> unsealed(std::string bytes);

/// A cache key for some contents: 16 hex digits. Not cryptographic: for trusted contents only.
std::string content_key(std::span<const std::string> parts);

}  // namespace cudalabs
