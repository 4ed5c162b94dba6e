#pragma once
// Detects reads of uninitialized global and shared memory.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_initcheck();

}  // namespace cudalabs::sim
