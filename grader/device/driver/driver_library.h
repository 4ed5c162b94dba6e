#pragma once
// Finds and opens the CUDA driver's library.

#include "grader/base/result.h"

namespace cudalabs {

/// Opens libcuda.so.1 and never closes it: the driver is not meant to be unloaded. Error: this machine has no
/// driver, and what to do.
Result<void*> open_driver_library();

/// Ok iff the library can be opened. A device process finds out later whether there is a working GPU.
Result<void> find_driver_library();

}  // namespace cudalabs
