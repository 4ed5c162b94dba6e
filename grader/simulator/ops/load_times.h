#pragma once
// How long a load takes, for kernels that read the clock. A block knows what it has loaded itself and no
// more, so that its clock is the same whoever runs beside it.

#include <cstdint>
#include <unordered_map>

#include "grader/simulator/base/types.h"

namespace cudalabs::sim {

/// Of a warp, in clocks.
struct WarpTime {
  std::uint64_t waited = 0;   ///< beside its instructions
  std::uint64_t arrives = 0;  ///< the last of its loads
};

/// Over the 32 banks of shared memory, 4 bytes wide, for `width` bytes at the offset of each lane in `mask`.
std::uint32_t bank_passes(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width);

class LoadTimes {
 public:
  explicit LoadTimes(const LoadLatencies& latencies) : latencies_(latencies) {}

  [[nodiscard]] std::uint64_t shared() const { return latencies_.shared; }
  [[nodiscard]] std::uint64_t l1() const { return latencies_.l1; }
  /// Until the bytes at a device address are there, and from then on they are cached. `past_l1`: L1 is not
  /// asked.
  [[nodiscard]] std::uint64_t global(std::uint64_t address, bool past_l1);

 private:
  /// What came after how many others: the oldest leaves.
  struct Entered {
    std::uint64_t l1 = 0, l2 = 0;  ///< 0: never
  };
  const LoadLatencies& latencies_;
  std::unordered_map<std::uint64_t, Entered> sectors_;
  std::uint64_t in_l1_ = 0, in_l2_ = 0;
};

}  // namespace cudalabs::sim
