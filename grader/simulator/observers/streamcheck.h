#pragma once
// Operations of a program that touch the same memory while no event, no wait and no synchronisation orders
// them: on different streams, of different branches of a graph, or one of them the host's own. What kernels
// touch is seen here, by bytes; what else there is, and the order, the program's side tells
// (base/stream_operation.h). Within one launch is racecheck's business.

#include <memory>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_streamcheck();

}  // namespace cudalabs::sim
