#pragma once
// Loops that go on until other threads have done something, or draw what they do next from a counter that
// others draw from too: the blocks of a card take turns there, whatever else they do.

#include <vector>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// By instruction of a function.
struct WaitingLoops {
  /// The branches that close a loop whose end is decided by what it loads strongly, or changes atomically, at
  /// one place and in one way each time. A loop of atomicCAS() that tries again with what it found there is
  /// none: it waits for nobody.
  std::vector<bool> branches;
  std::vector<bool> polls;  ///< those loads and atomics
};

WaitingLoops waiting_loops(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
