#pragma once
// Atomics that meet in one place of global memory wait for each other, whatever else the card does meanwhile.

#include <array>
#include <cstdint>
#include <memory>

#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// Adds up by places of L2 how long the atomics of a launch keep it busy. The busiest
/// place bounds the launch.
class ContentionObserver : public Observer {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// Of the busiest place.
  [[nodiscard]] double clocks() const;

  /// 256 neighbouring bytes are one place; some places share a slice of the cache, and an entry here.
  static constexpr std::size_t kSlices = 96;
  using Busy = std::array<std::uint64_t, kSlices>;  ///< hundredths of a clock: their sum has no order

 private:
  Busy busy_{};
};

}  // namespace cudalabs::sim
