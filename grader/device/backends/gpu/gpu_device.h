#pragma once
// A real card as a Device, through the CUDA driver.
//
// launch() waits for the kernel's end, so that a fault belongs to that kernel, and a submission's operations
// run in the order of issue, as on the simulator. enqueue() does not wait: measurements use it.

#include <memory>

#include "grader/base/result.h"
#include "grader/device/protocol/setup.h"
#include "grader/device/server/device.h"

namespace cudalabs {

/// Redirects the process's standard output to the device, because the driver prints the kernels' output
/// there. Errors: no driver, or no working GPU, and what to do.
Result<std::unique_ptr<Device>> make_gpu_device(const DeviceSetup& setup);

}  // namespace cudalabs
