#pragma once
// Bank conflicts on devices whose shared-memory banks differ from those of the counters.

#include <cstdint>

#include "grader/sim/timing/profile.h"

namespace cudalabs::sim {

/// Wavefronts of one access in the profile's banks. `offsets`: byte offsets of 32 lanes; those outside `mask`
/// are not read.
std::uint32_t bank_wavefronts(const DeviceProfile& profile, std::uint32_t width, const std::uint32_t* offsets,
                              std::uint32_t mask);

}  // namespace cudalabs::sim
