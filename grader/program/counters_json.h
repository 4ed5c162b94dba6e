#pragma once
// Launch records as JSON, for `grader run --counters FILE`.

#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// An array with one object per launch, in order: `kernel` (demangled, no parameters), `grid` and `block` as
/// "(64, 1, 1)", the counters under the names of the calibration table (shared_load_instructions, ...,
/// thread_instructions), and `time_ns`, the estimated time. Ends with a newline.
std::string counters_json(const std::vector<LaunchRecord>& launches);

}  // namespace cudalabs
