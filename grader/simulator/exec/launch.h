#pragma once
// Spreads the blocks of a launch over worker threads, and adds up what they counted.

#include "grader/simulator/exec/block.h"

namespace cudalabs::sim {

/// Runs the launch to its end. Results, faults and counters are the same for any number of workers.
LaunchResult run_launch(const LaunchState& launch, const LaunchOptions& options);

}  // namespace cudalabs::sim
