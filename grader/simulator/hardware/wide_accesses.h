#pragma once
// Accesses of shared memory that ptxas makes one of: neighbouring places of a thread, read or written one by
// one in PTX (the row of a tile in an unrolled loop, the two that a sort swaps), are one access of 8 or 16
// bytes where it can see that they are aligned and that nothing comes between them that may meet them. Read
// off ptxas 13.0 for sm_90 (docs/counters.md).

#include <cstdint>
#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

struct WideAccess {
  std::uint8_t width = 0;  ///< bytes a lane of the wide access of which this is the first; 0: of none
  bool part = false;       ///< of a wide access whose first came before: it is no instruction of its own
};

/// By index into Function::body; empty if there are none. A wide access is aligned to its width.
std::vector<WideAccess> wide_accesses(const ptx::Function& function);

}  // namespace cudalabs::sim
