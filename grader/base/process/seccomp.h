#pragma once
// System-call filters. A submission may not make calls that no honest CUDA program needs, a compiler not
// those that no compiler needs, and the device process only those that it or its driver needs.

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// Placeholder in the filter for the filtered process's number, which is known only after fork; see fill_pid.
inline constexpr std::uint32_t kPidPlaceholder = 0x5eedf00d;

/// Refuses new processes (threads are fine), sockets, tracing, other processes' memory, kernel interfaces,
/// changes of a file's mode, owner, times or attributes, and shared memory that outlives the program: these
/// fail with EPERM. So do calls that make the kernel send signals for a descriptor: the other end of a socket
/// may be the grader. Mapping more than `largest_mapping` bytes at once kills with SIGSYS, and nothing else
/// does: that signal means "asked for too much memory". `own_pid_only`: allows signals only to the process
/// itself, if no PID namespace hides the others.
Result<std::vector<sock_filter>> submission_filter(std::uint64_t largest_mapping, bool own_pid_only);

/// For nvcc and the programs that it starts: new processes are allowed. Of the calls above, those that nvcc
/// does not need are refused.
Result<std::vector<sock_filter>> compiler_filter();

/// Puts the process number into a filter made with `own_pid_only`. Async-signal-safe.
void fill_pid(std::vector<sock_filter>& filter, std::uint32_t pid);

/// For the device process, once it has opened everything that it needs. Allows its memory, its threads, its
/// descriptors and new memory files. All other calls fail with EPERM: it opens no file and no socket, starts
/// and traces nothing, and maps no code.
Result<std::vector<sock_filter>> device_filter();

/// For the device process of a card, whose driver opens files and makes requests to devices at any time.
/// Refuses programs, network, other processes, and everything that submission_filter refuses, except memory
/// files.
Result<std::vector<sock_filter>> driver_filter();

/// Applies device_filter() or driver_filter() to this process, permanently and for all of its threads.
Result<void> confine_to_memory();
Result<void> confine_to_driver();

}  // namespace cudalabs
