#pragma once
// Loops that continue until other threads have done something, or that draw their next work from a shared
// counter: there the blocks of a device take turns, whatever else they do.

#include <vector>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// By instruction of a function.
struct WaitingLoops {
  /// The branches that close a waiting loop. Its end depends on synchronizing loads or atomics with the same
  /// address and the same operands in each round. A retry loop of atomicCAS() that uses the value found there
  /// is not one: it waits for no thread.
  std::vector<bool> branches;
  std::vector<bool> polls;  ///< those loads and atomics
};

WaitingLoops waiting_loops(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
