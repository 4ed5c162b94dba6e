#pragma once
// Grades one version of a submission: runs its cases (grading/run), explains what was observed
// (grading/explain), and runs what the explainer requests until it needs no further evidence.

#include <cstddef>
#include <filesystem>

#include "grader/grading/observation/case_runner.h"
#include "grader/grading/run/run_version.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

/// Runs all cases from small to large. The evidence is in the lab's order, with the timed case last. An error
/// means that the grader or its device failed, not the submission. `runner` may have no device
/// (observation/stored_run.h).
Result<VersionEvidence> grade_version(const CaseContext& context, CaseRunner& runner, std::size_t version);
Result<VersionEvidence> grade_version(RunContext& context, const std::filesystem::path& executable,
                                      std::size_t version);

/// Runs only the timed case, without checkers (for the reference solution).
Result<CaseEvidence> run_timed(RunContext& context, const std::filesystem::path& executable,
                               std::size_t version);

}  // namespace cudalabs
