#pragma once
// Loads that the programmer did not write: CUDA's sine and its like read tables of
// their own from global memory.

#include <cstdint>
#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// By index into Module::variables: CUDA's own tables, each of them by its name and its size. What counts as
/// read from them is decided by the address that a load meets: any address can be made to look as if it came
/// from one.
std::vector<std::uint32_t> cuda_tables(const ptx::Module& module);

}  // namespace cudalabs::sim
