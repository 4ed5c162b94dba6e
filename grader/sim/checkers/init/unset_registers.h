#pragma once
// Registers that a function may read before it has written them: compilers leave a variable that the source
// never sets as such a register.

#include <cstdint>
#include <vector>

#include "grader/sim/analysis/dataflow.h"

namespace cudalabs::sim {

/// The registers that are live where the function begins, in order.
std::vector<std::uint32_t> unset_registers(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
