#pragma once
// Which files a card's driver may open once hostile programs are read: its own, and its devices.

#include "grader/support/result.h"

namespace cudalabs {

/// For this thread and those that it starts from now on, so before the driver starts any. Where the kernel
/// has no Landlock nothing changes.
Result<void> keep_driver_files();

}  // namespace cudalabs
