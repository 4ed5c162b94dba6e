#pragma once
// Loads that the programmer did not write: CUDA's sine and its like read tables of
// their own from global memory.

#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// By index into Function::body: a load from a variable named __cudart_*. Empty if there is none. What is
/// reached through memory or a call is not followed: libdevice keeps such addresses in registers.
std::vector<bool> cuda_table_loads(const ptx::Module& module, const ptx::Function& function);

}  // namespace cudalabs::sim
