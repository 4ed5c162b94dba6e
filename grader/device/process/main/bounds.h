#pragma once
// What a device process may not do, and what it may not use: it reads what hostile programs send.

#include <cstdint>

#include "grader/support/result.h"

namespace cudalabs {

/// Before anything else: no core files, no ptrace, and the first to go when the machine has no memory left.
void become_expendable();

/// From now on the process ends with out_of_memory_status when it holds more than so many bytes, which is
/// looked at every few milliseconds; what a jump between two looks may take is bounded, too.
Result<void> bound_memory(std::uint64_t bytes);

/// Memory can also be had as files in memory, which count as held only where they are mapped: a few dozen
/// of them, each no larger than an outcome.
void bound_files();

}  // namespace cudalabs
