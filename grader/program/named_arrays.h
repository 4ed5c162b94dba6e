#pragma once
// Names the arrays of a program's problems as its sources do.

#include <filesystem>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// Of the findings and the fault. `sources` and the files that the problems are in are read; one that cannot
/// be read names nothing.
void name_arrays(CallOutcome& outcome, const std::vector<std::filesystem::path>& sources);

}  // namespace cudalabs
