#pragma once
// Checkers for launches that are too large for full checking: they watch a sample of blocks, each in
// isolation. A block's use of its own shared memory and of barriers is right or wrong regardless of other
// blocks. This does not hold for global memory, so there only races between blocks are reported, and for
// those all blocks are watched (block_races.h).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/sim/checkers/base/checker_observer.h"

namespace cudalabs::sim {

/// Findings are added to the checkers, the same ones for any number of workers. `races`: the one of them that
/// receives races between blocks; null: these are not checked. `launch`: the launch's number, which seeds the
/// sample.
std::unique_ptr<LaunchObserver> make_sampling_observer(std::vector<CheckerObserver*> checkers,
                                                       CheckerObserver* races,
                                                       std::span<const DeviceRange> inputs,
                                                       std::uint64_t launch);

}  // namespace cudalabs::sim
