#pragma once
// Distributes the blocks of a launch to worker threads, and counts the executions of each instruction.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/sim/interpreter/block.h"

namespace cudalabs::sim {

/// How often the warps of a launch executed the instructions of one program; by index into Program::code.
struct Executions {
  const Program* program = nullptr;
  std::vector<std::uint64_t> warps;
  std::vector<std::uint64_t> idle_lanes;  ///< inactive lanes, summed over these executions
  std::vector<std::uint64_t> divided;     ///< by branch: warps that diverged
};

struct LaunchEnd {
  Fault fault;
  Lengths lengths;
  /// One entry for each executed program, in the order of LaunchState::programs.
  std::vector<Executions> executions;
  std::string printed;  ///< by the kernel's printf, in the order of execution
  std::vector<ChildWork> children;
  std::vector<RefusedLaunch> refused_children;
  std::vector<LaunchNote> notes;
};

/// Runs the launch to its end, watched by LaunchOptions::observers.
/// Results, faults and counters are the same for any number of workers.
LaunchEnd run_launch(const LaunchState& launch, const LaunchOptions& options);

}  // namespace cudalabs::sim
