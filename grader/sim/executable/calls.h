#pragma once
// What the calls of a module's functions mean for their callers.

#include <memory>
#include <vector>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// Sets, in each program, what depends on its callees: needs_block_order, waits, uses_heap and uses_printf of
/// `info`, stack_bytes and deepest_stack. The depth is not known with recursion and with calls through
/// pointers.
void follow_calls(const std::vector<std::unique_ptr<Program>>& programs);

}  // namespace cudalabs::sim
