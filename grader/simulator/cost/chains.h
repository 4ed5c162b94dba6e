#pragma once
// Blocks that wait for what others do, one behind the other: locks, turns, barriers of the whole grid.
// However few instructions that is, each hand-over is a way to L2 and back, and no other block helps.

#include <cstdint>
#include <memory>

#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// Follows the longest chain of hand-overs of a launch: from a word that a warp stored or changed so that
/// others see it, to a warp that waited for it in a loop (lower/waiting_loops.h), and on to what that one
/// stores for the next.
class ChainObserver : public Observer {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// Of the longest chain; 0 if nobody waits for anybody.
  [[nodiscard]] double clocks() const { return static_cast<double>(longest_); }

 private:
  std::uint64_t longest_ = 0;
};

}  // namespace cudalabs::sim
