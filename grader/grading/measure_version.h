#pragma once
// Times one version of a submission on a GPU, together with the reference solution's.
//
// The grader calls each program once and records its device operations. It then replays the recordings in
// turns on the same buffers, with fresh inputs, poisoned outputs and cold caches, and checks every output of
// the submission. If the operations of a call may depend on data that it read back, the program is called
// each time.

#include <filesystem>

#include "grader/grading/measure/measurement.h"
#include "grader/grading/run/run_version.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

/// `context` belongs to the GPU. `timed` is the case's evidence with the launches that the simulator saw. The
/// timed call must make the same launches; a wrong answer in a timed repetition is written to `timed`. An
/// error means that the grader or the course failed, not the submission.
Result<Measurement> measure_version(RunContext& context, const std::filesystem::path& submission,
                                    const std::filesystem::path& reference, std::size_t version,
                                    CaseEvidence& timed);

}  // namespace cudalabs
