#pragma once
// Which lines of the host made the calls that an outcome tells of.

#include <filesystem>
#include <vector>

#include "grader/device/wire/outcome.h"

namespace cudalabs {

/// Turns the frames of findings and of failed calls into lines, by binutils' addr2line and what the compiler
/// left in `executable` (-g1). `not_the_users`: folders whose code is passed over, such as CUDA's headers.
/// What cannot be known stays without a line.
void place_host_calls(CallOutcome& outcome, const std::filesystem::path& executable,
                      const std::filesystem::path& addr2line,
                      const std::vector<std::filesystem::path>& not_the_users);

}  // namespace cudalabs
