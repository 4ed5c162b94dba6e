#pragma once
// System-call filters: what no honest CUDA program needs is refused to a submission, what no compiler needs
// to compilers, and to the device process everything that it does not need, or its driver.

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// Stands in the filter for the number of the filtered
/// process, where that is known only after fork; see fill_pid.
inline constexpr std::uint32_t kPidPlaceholder = 0x5eedf00d;

/// No processes (threads are fine), sockets, tracing, other processes' memory, kernel interfaces, changes
/// of a file's mode, owner, times or attributes, or shared memory that outlives the program: these fail
/// with EPERM. So does what makes the kernel send signals for a descriptor: the other end of a socket may
/// be the grader. Mapping more than `largest_mapping` bytes at once kills with SIGSYS, and nothing else
/// does: that signal means "asked for too much memory". `own_pid_only`: signals only to itself, where no
/// PID namespace hides the others.
Result<std::vector<sock_filter>> submission_filter(std::uint64_t largest_mapping, bool own_pid_only);

/// For nvcc and what it starts: processes are fine, everything else of the above that
/// it can do without is not.
Result<std::vector<sock_filter>> compiler_filter();

/// Puts the process number into a filter made with `own_pid_only`. Async-signal-safe.
void fill_pid(std::vector<sock_filter>& filter, std::uint32_t pid);

/// For the device process, once all that it needs is open: its memory, its threads, its descriptors, new
/// files in memory. Whatever else it asks for fails with EPERM: it opens no file and no socket, starts and
/// traces nothing, and maps no code.
Result<std::vector<sock_filter>> device_filter();

/// For the device process of a card, whose driver opens files and makes requests to devices whenever it
/// likes: no program, no network, no other process, nothing of what submission_filter refuses but files in
/// memory.
Result<std::vector<sock_filter>> driver_filter();

/// Puts this process under device_filter() or driver_filter(). For good, and for all of its threads.
Result<void> confine_to_memory();
Result<void> confine_to_driver();

}  // namespace cudalabs
