#pragma once
// Checkers for launches that are too large to be watched: they see a few blocks, each as if it were alone.
// What a block does to its own shared memory, and how its threads meet at barriers, is right or wrong
// whatever the others do; what lies in global memory is not, so nothing is said of it but where blocks, all
// of them, meet in it (block_races.h).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {

/// Findings come to lie in the checkers, the same ones for any number of workers. `races`: the one of them
/// that races between blocks are told to, or null: none are looked for. `launch`: the number by which the
/// blocks are drawn.
std::unique_ptr<LaunchObserver> make_sampling_observer(std::vector<CheckerObserver*> checkers,
                                                       CheckerObserver* races,
                                                       std::span<const DeviceRange> inputs,
                                                       std::uint64_t launch);

}  // namespace cudalabs::sim
