#pragma once
// Times one version of a submission on a card, beside the reference solution's.
//
// Each program is called once, and what it asks of the device is recorded; from then on the recordings are
// replayed in turns on the same buffers: fresh inputs, poisoned outputs, cold caches, and every output of the
// submission checked. A call whose operations may depend on data that it read back is called each time.

#include <filesystem>

#include "grader/measure/measurement.h"
#include "grader/run/run_version.h"

namespace cudalabs {

/// `context` is that of the card. `timed`: the case's evidence, with the launches that the simulator saw.
/// They must be those of the call that is timed; a wrong answer in a timed repetition is written there. An
/// error means that the grader or the course failed, not the submission.
Result<Measurement> measure_version(RunContext& context, const std::filesystem::path& submission,
                                    const std::filesystem::path& reference, std::size_t version,
                                    CaseEvidence& timed);

}  // namespace cudalabs
