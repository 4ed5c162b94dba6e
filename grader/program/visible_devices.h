#pragma once
// Selects the simulated devices that a program sees.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// The numbers of the devices that a program sees, in its order, of `count` devices ("4"). `visible` is
/// CUDA_VISIBLE_DEVICES, or null if that is not set; at least one device is always seen. Errors: `count` is
/// no number from 1 to sim::kMaxDevices, or the list names no device, or one twice.
Result<std::vector<std::uint32_t>> visible_devices(const std::string& count, const char* visible);

}  // namespace cudalabs
