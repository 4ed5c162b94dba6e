#pragma once
// Finds loads of a value that the thread has just loaded, in some blocks of a launch. A compiler may keep
// such a value in a register or load it again, so a count of loads should leave those out.

#include <cstdint>
#include <memory>

#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Examines all blocks of a small grid, and a few random blocks of a large one. A fixed block, such as the
/// first, could load again and again to make the loads of the others look repeated.
class RepeatedLoadsObserver : public Observer {
 public:
  explicit RepeatedLoadsObserver(std::uint64_t draw) : draw_(draw) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  [[nodiscard]] const RepeatedLoads& loads() const { return loads_; }

 private:
  std::uint64_t draw_;
  RepeatedLoads loads_;
};

}  // namespace cudalabs::sim
