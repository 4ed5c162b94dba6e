#pragma once
// Checkers for launches that are too large to be watched: they see a few blocks, each as if it were alone.
// What a block does to its own shared memory, and how its threads meet at barriers, is right or wrong
// whatever the others do; what lies in global memory is not, so nothing is said of it.

#include <cstdint>
#include <memory>
#include <vector>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {

/// Findings come to lie in the checkers, the same ones for any number of workers. `launch`: the number by
/// which the blocks are drawn.
std::unique_ptr<Observer> make_sampling_observer(std::vector<CheckerObserver*> checkers,
                                                 std::uint64_t launch);

}  // namespace cudalabs::sim
