#pragma once
// Handlers of operations across the lanes of a warp, and of predicates.

#include "grader/sim/ops/arithmetic.h"

namespace cudalabs::sim {

/// Flags of WarpOp::LoadLeaves.
enum LoadFlags : std::uint32_t { kWideAddress = 1, kPastL1 = 2 };

enum class WarpOp : std::uint8_t {
#define CUDALABS_WARP_OP(operation, ...) operation,
#include "grader/sim/ops/warp/warp_ops.def"
#undef CUDALABS_WARP_OP
  Count
};

Handler warp_handler(WarpOp op);

}  // namespace cudalabs::sim
