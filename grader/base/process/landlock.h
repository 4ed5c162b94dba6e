#pragma once
// Landlock restricts the files that a process and its descendants may open. Linux 5.13 and later have it. A
// process needs no privileges to restrict itself.

#include <cstdint>
#include <filesystem>
#include <span>

#include "grader/base/fd.h"
#include "grader/base/result.h"

namespace cudalabs {

enum class LandlockRights : std::uint8_t {
  ReadAndRun,
  ReadAndWrite,  ///< read and write existing files, and make requests (ioctl) to devices
  All            ///< also create and remove files and folders
};

/// The rights for a file, or for everything below a folder.
struct LandlockRule {
  std::filesystem::path path;  ///< the rule is left out if nothing is there
  LandlockRights rights = LandlockRights::ReadAndRun;
};

/// Refuses everything that this kernel's Landlock can restrict, except what the rules allow. Error: the
/// kernel has no Landlock.
Result<UniqueFd> landlock_ruleset(std::span<const LandlockRule> rules);

/// Restricts this thread, and the threads that it starts from now on, by a ruleset. Returns 0 or an errno.
/// PR_SET_NO_NEW_PRIVS must be set. Async-signal-safe.
int landlock_restrict_self(int ruleset);

}  // namespace cudalabs
