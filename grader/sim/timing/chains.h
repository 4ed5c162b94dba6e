#pragma once
// Chains of blocks that wait for each other: locks, turns, barriers of the whole grid. Even with few
// instructions, each step of a chain takes a round trip to L2, and other blocks cannot hide it.

#include <cstdint>
#include <memory>

#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Finds a launch's longest chain of release/acquire steps: from a word that a warp stored or changed visibly
/// for others, to a warp that waited for it in a loop (analysis/waiting_loops.h), and on to what that warp
/// stores for the next.
class ChainObserver : public Observer {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// Length of the longest chain; 0 if no warp waits for another.
  [[nodiscard]] double clocks() const { return static_cast<double>(longest_); }

 private:
  std::uint64_t longest_ = 0;
};

}  // namespace cudalabs::sim
