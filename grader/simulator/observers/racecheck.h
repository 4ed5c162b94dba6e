#pragma once
// Accesses to shared and global memory that nothing orders.

#include <memory>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {

std::unique_ptr<CheckerObserver> make_racecheck();

}  // namespace cudalabs::sim
