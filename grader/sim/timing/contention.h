#pragma once
// Atomics on the same place of global memory wait for each other, regardless of other work on the device.

#include <array>
#include <cstdint>
#include <memory>

#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Adds up, by places of L2, how long a launch's atomics keep them busy. The busiest place bounds the launch.
class ContentionObserver : public Observer {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// Busy time of the busiest place.
  [[nodiscard]] double clocks() const;

  /// 256 consecutive bytes are one place; several places share a slice of the cache, and an entry here.
  static constexpr std::size_t kSlices = 96;
  using Busy = std::array<std::uint64_t, kSlices>;  ///< hundredths of a clock: their sum has no order

 private:
  Busy busy_{};
};

}  // namespace cudalabs::sim
