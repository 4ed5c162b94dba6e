#pragma once
// The conditional bodies that the hardware's compiler predicates instead of branching around them
// (docs/counters.md). Their instructions are issued whenever the branch is, even by warps in which no lane
// takes them.

#include <cstdint>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Instructions [first, end) are issued once for each issue of `branch`; indices into Function::body. An
/// if-else has a body for each side, `if (a && b)` one for the arithmetic of b and one for the guarded code.
/// They are disjoint.
struct PredicatedBody {
  std::uint32_t branch = 0, first = 0, end = 0;
  bool operator==(const PredicatedBody&) const = default;
};

/// The bodies in the order of their branches. Time is nearly linear in the size of the function.
std::vector<PredicatedBody> predicated_bodies(const ptx::Function& function);

}  // namespace cudalabs::sim
