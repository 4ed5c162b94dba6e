#pragma once
// Shared memory of cards that have other banks than those that the counters count in.

#include <cstdint>

#include "grader/simulator/cost/profile.h"

namespace cudalabs::sim {

/// Wavefronts of one access in the profile's banks. `offsets`:
/// byte offsets of 32 lanes, those outside `mask` not read.
std::uint32_t bank_wavefronts(const DeviceProfile& profile, std::uint32_t width, const std::uint32_t* offsets,
                              std::uint32_t mask);

}  // namespace cudalabs::sim
