#pragma once
// Which of the simulated devices a program sees.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// Of `count` devices ("4") the numbers of those that a program sees, in its order. `visible` is
/// CUDA_VISIBLE_DEVICES, or null where that is not set; one device is always seen. Errors: no number from 1
/// to sim::kMostCards, or a list that names no device, or one twice.
Result<std::vector<std::uint32_t>> visible_devices(const std::string& count, const char* visible);

}  // namespace cudalabs
