#pragma once
// Finds the host's source lines of the calls in an outcome.

#include <filesystem>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// Turns the frames of findings and of failed calls into lines, with binutils' addr2line and the debug
/// information in `executable` (-g1), which nobody need trust: it is read in a sandbox. `not_the_users`:
/// folders whose code is skipped, such as CUDA's headers. Frames whose place is unknown stay without a line.
void place_host_calls(CallOutcome& outcome, const std::filesystem::path& executable,
                      const std::vector<std::filesystem::path>& not_the_users);

}  // namespace cudalabs
