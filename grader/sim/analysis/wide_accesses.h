#pragma once
// Shared-memory accesses that ptxas merges. A thread's separate PTX accesses to neighbouring places (the row
// of a tile in an unrolled loop, the two elements that a sort swaps) become one access of 8 or 16 bytes, if
// ptxas can prove that they are aligned and that no possibly conflicting access is in between. Observed with
// ptxas 13.0 for sm_90 (docs/counters.md).

#include <cstdint>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

struct WideAccess {
  std::uint8_t width = 0;  ///< bytes of each lane in the wide access that this one begins; 0: none
  bool part = false;       ///< merged into an earlier access: no machine instruction of its own
};

/// By index into Function::body; empty if there are none. A wide access is aligned to its width.
std::vector<WideAccess> wide_accesses(const ptx::Function& function);

}  // namespace cudalabs::sim
