#pragma once
// Computes how much of this machine's memory a device process may hold.

#include <cstdint>

#include "grader/device/protocol/setup.h"

namespace cudalabs {

/// Enough for the device and its checkers, but no more than the machine or our container has to spare: the
/// process must never swap. `is_short`: the spare memory is less than that device may need.
std::uint64_t process_memory(const DeviceSetup& setup, bool& is_short);

}  // namespace cudalabs
