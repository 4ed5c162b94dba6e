#pragma once
// Grades one version of a submission: cases run (grading/run), and what happened is explained
// (grading/explain), until no further run would tell more.

#include <cstddef>
#include <filesystem>

#include "grader/grading/run/run_version.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

/// Runs all cases from small to large. The evidence is in the lab's order, with the timed case last. An error
/// means that the grader or its device failed, not the submission. Of `context` a runner without a device
/// needs none either.
Result<VersionEvidence> grade_version(const RunContext& context, CaseRunner& runner, std::size_t version);
Result<VersionEvidence> grade_version(RunContext& context, const std::filesystem::path& executable,
                                      std::size_t version);

/// Runs only the timed case, without checkers (for the reference solution).
Result<CaseEvidence> run_timed(RunContext& context, const std::filesystem::path& executable,
                               std::size_t version);

}  // namespace cudalabs
