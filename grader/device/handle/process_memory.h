#pragma once
// How much of this machine's memory a device process may hold.

#include <cstdint>

#include "grader/device/wire/setup.h"

namespace cudalabs {

/// Enough for a device like that and for what watches it, and no more than the machine, or the
/// container that we are in, has to spare: it must never swap. `is_short`: what it has to spare is less
/// than that device may need.
std::uint64_t process_memory(const DeviceSetup& setup, bool& is_short);

}  // namespace cudalabs
