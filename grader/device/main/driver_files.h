#pragma once
// Limits the files that a card's driver may open once hostile programs are read: its own files and its
// devices.

#include "grader/base/result.h"

namespace cudalabs {

/// Applies to this thread and to those that it starts from now on. So call it before the driver starts any.
/// Without Landlock in the kernel it changes nothing.
Result<void> keep_driver_files();

}  // namespace cudalabs
