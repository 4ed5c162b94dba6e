#pragma once
// Counts memory traffic as Nsight Compute does (docs/counters.md). Costs are cached by instruction: in a loop
// an access usually repeats its pattern, shifted, and a shift by whole words costs the same.

#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/sim/base/shared_banks.h"
#include "grader/sim/counters/shared_layouts.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Totals, and the costs of memory accesses by instruction of each executed program.
class CounterObserver : public Observer {
 public:
  /// Banks of 8 bytes count as `banks` has them, all others as docs/counters.md says.
  explicit CounterObserver(const SharedBanks& banks = {}) : banks_(banks) {}

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;

  /// Counters by instruction; only the memory fields are set. Empty if the program never ran.
  [[nodiscard]] const std::vector<Counters>& of(const Program& program) const;
  [[nodiscard]] const SharedLayouts& shared_layouts() const { return shared_layouts_; }

 private:
  const SharedBanks banks_;
  std::unordered_map<const Program*, std::vector<Counters>> by_instruction_;
  SharedLayouts shared_layouts_;
};

}  // namespace cudalabs::sim
