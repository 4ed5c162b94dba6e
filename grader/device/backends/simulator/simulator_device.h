#pragma once
// The simulator as a Device. Every operation runs immediately, in the order of issue: a legal schedule for
// any correct use of streams, and the same one every time.

#include <memory>

#include "grader/device/protocol/setup.h"
#include "grader/device/server/device.h"

namespace cudalabs {

std::unique_ptr<Device> make_simulator_device(const DeviceSetup& setup);

}  // namespace cudalabs
