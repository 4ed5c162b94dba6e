#pragma once
// Detects barriers that part of a block never reaches, and warp-wide calls with a wrong mask.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_synccheck();

}  // namespace cudalabs::sim
