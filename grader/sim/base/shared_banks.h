#pragma once
// The banks of a device's shared memory.

#include <cstdint>

namespace cudalabs::sim {

/// How many lanes are served together, and the banks. `bytes` 8 with `mode_bytes` 4 or 8: the two modes of
/// Kepler.
struct SharedBanks {
  std::uint32_t lanes = 32, count = 32, bytes = 4, mode_bytes = 4;
};

}  // namespace cudalabs::sim
