#pragma once
// A parameter has no address, and clang takes that of a structure: ptxas then keeps it on the stack.

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// Each parameter of a device function whose address is taken becomes a local variable, to which the function
/// copies it first of all; ld.param and st.param by a register, which holds such an address, are generic.
/// What is larger than a kernel's parameters may be stays as it is, and is refused where it is lowered.
void keep_addressed_parameters(ptx::Module& module);

}  // namespace cudalabs::sim
