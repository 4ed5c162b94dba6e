#pragma once
// Detects reads of uninitialized global and shared memory.

#include <memory>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

/// Finding::kind of reads of shared memory.
inline constexpr const char* kUnwrittenShared = "uninitialised shared memory";

std::unique_ptr<CheckerObserver> make_initcheck();

}  // namespace cudalabs::sim
