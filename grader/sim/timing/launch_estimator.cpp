#include "grader/sim/timing/launch_estimator.h"

namespace cudalabs::sim {

bool PendingEstimate::is_quick() const {
  // Steps. The slowest steps, with many lines each, take fifty times as long as the quickest.
  constexpr std::size_t kQuick = 2'000;
  std::size_t steps = 0;
  for (const TracedBlock& block : work_.traces)
    for (const auto& warp : block.warps) steps += warp.size();
  return steps < kQuick;
}

Estimate PendingEstimate::compute(MachineCodes& codes) {
  Estimate result = estimate(work_, profile_, codes);
  work_ = {};
  return result;
}

PendingEstimate LaunchEstimator::finish(const FinishedLaunch& launch, const RunAgain& run_again) {
  LaunchWork work;
  work.grid = launch.grid;
  work.block = launch.block;
  work.by_line = launch.by_line;
  work.shared_bytes = launch.shared_bytes;
  work.counters = launch.result.counters;
  work.issue = launch.result.issue;
  work.lengths = launch.result.lengths;
  work.traffic = reuse_.traffic();
  work.atomic_clocks = contention_.clocks();
  work.chain_clocks = chains_.clocks();
  work.traces = trace_.take(work.traffic.odd || trace_.is_odd());
  const bool uneven = is_uneven(work.lengths, launch.grid);
  const bool goes_on = !launch.cooperative && goes_on_otherwise(work, profile_);
  if (uneven || goes_on) look_at_longest(work, uneven, goes_on, run_again);
  return {std::move(work), profile_};
}

/// Runs the longest block once more alone, for facts that the launch's own traces lack.
void LaunchEstimator::look_at_longest(LaunchWork& work, bool uneven, bool goes_on,
                                      const RunAgain& run_again) const {
  TraceObserver beginning(profile_, OneBlock{}), dearest(profile_, DearestSteps{});
  ReuseObserver reuse(OneBlock{});
  LaunchOptions options;
  // A block that waits for other blocks may not end when it runs alone.
  options.max_warp_instructions = 4 * work.lengths.longest;
  options.only_block = work.lengths.block;
  options.observers = {&reuse};
  if (uneven) options.observers.push_back(&beginning);
  if (goes_on) options.observers.push_back(&dearest);
  if (!run_again(std::move(options))) return;
  work.longest = beginning.take(false);
  work.dearest = dearest.take(false);
  work.longest_traffic = reuse.traffic();
}

}  // namespace cudalabs::sim
