#pragma once
// Landlock: which files a process, and what it starts, may still open. Linux 5.13 and later have it; no
// rights are needed to give up rights.

#include <cstdint>
#include <filesystem>
#include <span>

#include "grader/support/fd.h"
#include "grader/support/result.h"

namespace cudalabs {

enum class LandlockRights : std::uint8_t {
  ReadAndRun,
  ReadAndWrite,  ///< what is there, and requests (ioctl) to devices
  All            ///< files and folders may come and go
};

/// Of a file, or of all below a folder.
struct LandlockRule {
  std::filesystem::path path;  ///< where nothing is there the rule is left out
  LandlockRights rights = LandlockRights::ReadAndRun;
};

/// All that this kernel's Landlock can refuse is refused, but what the rules allow. Error: it has none.
Result<UniqueFd> landlock_ruleset(std::span<const LandlockRule> rules);

/// Puts this thread, and those that it starts from now on, under a ruleset: 0, or an errno.
/// PR_SET_NO_NEW_PRIVS must stand. Async-signal-safe.
int landlock_restrict_self(int ruleset);

}  // namespace cudalabs
