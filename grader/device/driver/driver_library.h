#pragma once
// The file of the CUDA driver, for whoever wants to know whether there is one and for who calls it.

#include "grader/support/result.h"

namespace cudalabs {

/// Opens libcuda.so.1 for the life of the process: nothing of the driver is meant to be unloaded.
/// Error: this machine has none, and what to do.
Result<void*> open_driver_library();

/// Ok iff it can be opened. Whether there is a GPU that works shows when a device process opens it.
Result<void> find_driver_library();

}  // namespace cudalabs
