#pragma once
// Detects unordered accesses to shared and global memory.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

/// `whole_runs`: accesses of adjacent lanes without a race are processed many cells at once. False: lane by
/// lane and cell by cell, for the test that compares the two.
std::unique_ptr<CheckerObserver> make_racecheck(bool whole_runs);

}  // namespace cudalabs::sim
