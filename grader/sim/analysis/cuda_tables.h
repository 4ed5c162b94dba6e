#pragma once
// Loads that the programmer did not write: CUDA's sine and similar functions read their own tables from
// global memory.

#include <cstdint>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// CUDA's own tables by index into Module::variables, identified by name and size. Whether a load reads a
/// table is decided by its actual address, because a program could make any address look like one derived
/// from a table.
std::vector<std::uint32_t> cuda_tables(const ptx::Module& module);

}  // namespace cudalabs::sim
