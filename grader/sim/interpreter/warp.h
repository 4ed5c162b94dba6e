#pragma once
// A warp of a block: the positions of its lanes.

#include <cstdint>
#include <memory>
#include <vector>

#include "grader/sim/ops/exec.h"
#include "grader/sim/ops/memory/async_copy.h"

namespace cudalabs::sim {

/// Lanes of a warp at the same instruction of the same activation.
struct WarpFragment {
  enum class State : std::uint8_t { Ready, AtBarrier, AtSync };
  Activation* activation = nullptr;
  std::uint32_t pc = 0, mask = 0;
  State state = State::Ready;
  std::uint64_t last_run = 0;
};

struct Warp {
  std::vector<WarpFragment> splits;
  std::uint32_t lanes = 0;  ///< existing lanes
  std::uint32_t exited = 0;
  bool arrived = false;       ///< all its live lanes wait at a barrier
  std::uint32_t barrier = 0;  ///< the number of that barrier
  std::uint64_t turn = 0;
  std::unique_ptr<AsyncCopies> copies;
  WarpTime time;
  std::uint32_t hesitations = 0;
  [[nodiscard]] std::uint32_t live() const { return lanes & ~exited; }
};

}  // namespace cudalabs::sim
