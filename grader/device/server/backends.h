#pragma once
// What makes a device of each kind: make_simulator_device() and so on, one for each row of device_kinds.def,
// each in its folder of grader/device/backends/. Error: why there is no such device, and what to do.

#include <memory>

#include "grader/base/result.h"
#include "grader/device/protocol/setup.h"
#include "grader/device/server/device.h"

namespace cudalabs {

#define CUDALABS_DEVICE_KIND(kind, name, ...) \
  Result<std::unique_ptr<Device>> make_##name##_device(const DeviceSetup& setup);
#include "grader/device/protocol/device_kinds.def"
#undef CUDALABS_DEVICE_KIND

}  // namespace cudalabs
