#pragma once
// Accesses to shared and global memory that nothing orders.

#include <memory>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {

/// `whole_runs`: where lanes stand side by side and nothing is to be said, many cells are dealt with at once.
/// False: lane by lane, cell by cell, for the test that compares the two.
std::unique_ptr<CheckerObserver> make_racecheck(bool whole_runs);

}  // namespace cudalabs::sim
