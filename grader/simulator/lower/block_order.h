#pragma once
// Lanes of a warp that part run lowest address first, and so meet where their ways join: if what joins stands
// behind what it joins. nvcc writes its blocks in that order; LLVM's back end writes them as they fall, and
// leaves the rest to ptxas.

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// Puts a function's blocks in an order in which every jump goes forward but those that close a loop, and in
/// which a loop stands in one piece; jumps to what comes next are gone. A function that is so already stays
/// as it is, and so does one with a loop of two entries or with very many loops in each other.
void order_blocks(ptx::Function& function);

}  // namespace cudalabs::sim
