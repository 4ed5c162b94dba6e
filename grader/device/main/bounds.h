#pragma once
// Restricts the rights and the memory of a device process, which reads what hostile programs send.

#include <cstdint>

#include "grader/base/result.h"

namespace cudalabs {

/// Call it first. No core files, no ptrace, and the kernel kills this process first if memory runs out.
void become_expendable();

/// From now on the process ends with out_of_memory_status when it holds more than `bytes`. A check runs every
/// few milliseconds; the memory that can be taken between two checks is bounded, too.
Result<void> bound_memory(std::uint64_t bytes);

/// Memory files count as held only while they are mapped. This bounds them: a few dozen files, each no larger
/// than an outcome.
void bound_files();

}  // namespace cudalabs
