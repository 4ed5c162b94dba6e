#pragma once
// Divergent lanes of a warp run lowest address first, so they reconverge where their paths join, provided
// that the join comes after both paths. nvcc orders its blocks like this; LLVM's back end does not, and
// leaves the reordering to ptxas.

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Orders a function's blocks so that every jump goes forward except those that close a loop, and each loop
/// is contiguous; removes jumps to the next block. The function remains unchanged if it is already ordered,
/// or if it has a loop with two entries or very deeply nested loops.
void order_blocks(ptx::Function& function);

}  // namespace cudalabs::sim
