#pragma once
// The system-call filter of a submission: what no honest CUDA program needs is refused.

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// Stands in the filter for the number of the filtered
/// process, where that is known only after fork; see fill_pid.
inline constexpr std::uint32_t kPidPlaceholder = 0x5eedf00d;

/// No processes (threads are fine), sockets, tracing, other processes' memory, kernel interfaces or shared
/// memory that outlives the program: these fail with EPERM. Mapping more than `largest_mapping` bytes at once
/// kills with SIGSYS, and nothing else does: that signal means "asked for too much memory". `own_pid_only`:
/// signals only to itself, where no PID namespace hides the others.
Result<std::vector<sock_filter>> submission_filter(std::uint64_t largest_mapping, bool own_pid_only);

/// Puts the process number into a filter made with `own_pid_only`. Async-signal-safe.
void fill_pid(std::vector<sock_filter>& filter, std::uint32_t pid);

}  // namespace cudalabs
