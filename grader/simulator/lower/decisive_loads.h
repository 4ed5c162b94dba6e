#pragma once
// Kernels whose blocks may watch each other, and kernels that only look as if they did: a sum in place ends
// in volatile loads and stores of the block's own words.

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// True if something that the function loads of global memory may decide what it does: where it goes on,
/// which words it touches, what it tells other threads by shared memory, barriers, atomics or calls. Where
/// nothing does, no block can have waited for what it loads, and how many instructions it takes hangs on no
/// other block.
bool loads_decide(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
