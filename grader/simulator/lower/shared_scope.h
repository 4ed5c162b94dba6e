#pragma once
// clang declares a kernel's __shared__ variables at module scope, nvcc in the kernel. A
// kernel has what it uses.

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// Shared variables of module scope that kernels alone use become variables of each kernel that does;
/// what no function uses takes no room. Those that a device function uses stay: it finds them at one
/// place, whoever calls it.
void give_kernels_their_shared(ptx::Module& module);

}  // namespace cudalabs::sim
