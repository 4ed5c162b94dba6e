#pragma once
// clang declares a kernel's __shared__ variables at module scope, nvcc in the kernel. A kernel gets those
// that it uses.

#include "grader/sim/executable/program.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Module-scope shared variables that only kernels use become variables of each kernel that uses them; those
/// that no function uses are dropped. Variables used by a device function stay: it needs one address for all
/// callers.
void give_kernels_their_shared(ptx::Module& module);

/// The static shared memory that ptxas gives a kernel: the variables that it and its callees name. The
/// simulator places those of all device functions for each kernel.
std::uint32_t named_shared_bytes(const Program& kernel);

}  // namespace cudalabs::sim
