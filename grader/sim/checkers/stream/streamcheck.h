#pragma once
// Detects unordered operations of a program on the same memory: no event, wait or synchronization orders
// them. They are on different streams or branches of a graph, or one of them is the host's. This checker
// observes the accesses of kernels, by bytes; the program reports its other operations and their order
// (base/stream_operation.h). Races within one launch are racecheck's task.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_streamcheck();

}  // namespace cudalabs::sim
