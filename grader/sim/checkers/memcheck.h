#pragma once
// Host memory errors: allocations that are never freed. Accesses out of bounds are faults of the launch
// itself and need no checker.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_memcheck();

}  // namespace cudalabs::sim
