#pragma once
// Latency of loads, for kernels that read the clock. A block only takes its own loads into account, so its
// clock does not depend on the blocks that run in parallel.

#include <cstdint>
#include <unordered_map>

#include "grader/sim/base/types.h"

namespace cudalabs::sim {

/// Times of a warp, in clocks.
struct WarpTime {
  std::uint64_t waited = 0;   ///< in addition to its instructions
  std::uint64_t arrives = 0;  ///< arrival of its last load
};

/// Passes over the 32 banks of shared memory, 4 bytes wide, for `width` bytes at the offset of each lane in
/// `mask`.
std::uint32_t bank_passes(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width);

class LoadTimes {
 public:
  explicit LoadTimes(const LoadLatencies& latencies) : latencies_(latencies) {}

  [[nodiscard]] std::uint64_t shared() const { return latencies_.shared; }
  [[nodiscard]] std::uint64_t l1() const { return latencies_.l1; }
  /// Clocks until the bytes at a device address arrive; they are cached from then on. `past_l1`: the load
  /// bypasses L1.
  [[nodiscard]] std::uint64_t global(std::uint64_t address, bool past_l1);

 private:
  /// Age in insertions, which determines the oldest entry for replacement.
  struct Entered {
    std::uint64_t l1 = 0, l2 = 0;  ///< 0: never
  };
  const LoadLatencies& latencies_;
  std::unordered_map<std::uint64_t, Entered> sectors_;
  std::uint64_t in_l1_ = 0, in_l2_ = 0;
};

}  // namespace cudalabs::sim
