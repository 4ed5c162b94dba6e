#pragma once
// Detects unordered accesses to shared and global memory.
// make_racecheck() (checkers.def) is what the grader uses.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

/// Processes accesses lane by lane and cell by cell, for the test that compares the two. make_racecheck()
/// processes accesses of adjacent lanes without a race many cells at once.
std::unique_ptr<CheckerObserver> make_racecheck_by_cells();

}  // namespace cudalabs::sim
