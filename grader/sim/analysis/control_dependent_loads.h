#pragma once
// Distinguishes kernels whose blocks may watch each other from those that only look like it: for example, an
// in-place sum ends in volatile loads and stores of the block's own words.

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// True if the function's behaviour may be control-dependent on a load of global memory: its control flow,
/// the addresses that it accesses, or what it passes to other threads by shared memory, barriers, atomics or
/// calls. Otherwise no block can have waited for a loaded value, and the number of its instructions does not
/// depend on other blocks.
bool loads_decide(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
