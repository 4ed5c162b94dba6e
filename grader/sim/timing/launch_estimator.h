#pragma once
// The face of the cost model: who runs a launch adds the estimator's observers to it, and asks once
// afterwards. Which observers there are, and what the model makes of them, is its own business.

#include <functional>
#include <optional>
#include <vector>

#include "grader/sim/timing/chains.h"
#include "grader/sim/timing/contention.h"
#include "grader/sim/timing/cost.h"
#include "grader/sim/timing/trace.h"
#include "grader/sim/timing/traffic.h"

namespace cudalabs::sim {

/// A launch that has run: what its estimate needs beside what was observed.
struct FinishedLaunch {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< for each block, static and dynamic
  bool cooperative = false;        ///< its blocks wait for each other
  bool by_line = false;            ///< Estimate::lines
  const LaunchResult& result;
};

/// An estimate that has everything it needs.
class PendingEstimate {
 public:
  PendingEstimate(LaunchWork work, const DeviceProfile& profile)
      : work_(std::move(work)), profile_(profile) {}

  /// How much there is to compute: the quickest takes about as long as a thread to begin and to end.
  [[nodiscard]] bool is_quick() const;
  /// Once. `codes`: those of the launched kernel's module.
  Estimate compute(MachineCodes& codes);

 private:
  LaunchWork work_;
  DeviceProfile profile_;
};

class LaunchEstimator {
 public:
  /// `draw`: of the blocks that it looks at beside the usual ones; 0: none.
  LaunchEstimator(const DeviceProfile& profile, std::uint64_t draw)
      : profile_(profile), reuse_(draw), trace_(profile, draw) {}

  /// What the launch must be watched by; valid as long as the estimator.
  std::vector<Observer*> observers() { return {&reuse_, &contention_, &chains_, &trace_}; }

  /// Runs one block of the launch once more, alone: `options` has the block, its limit and its observers.
  /// False: that cannot be done.
  using RunAgain = std::function<bool(LaunchOptions options)>;

  /// After the launch. Where its longest block is not known well enough, that is run again.
  PendingEstimate finish(const FinishedLaunch& launch, const RunAgain& run_again);

 private:
  void look_at_longest(LaunchWork& work, bool uneven, bool goes_on, const RunAgain& run_again) const;

  DeviceProfile profile_;
  ReuseObserver reuse_;
  ContentionObserver contention_;
  ChainObserver chains_;
  TraceObserver trace_;
};

}  // namespace cudalabs::sim
