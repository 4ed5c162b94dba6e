#pragma once
// Correctness by criteria: which of them the cases of a version meet, and what that earns.

#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// A lab in which no finding of a checker may remain: it has the criterion kSafe.
bool must_be_safe(const Lab& lab);

/// In the order of the lab. The points sum to at most `max_points`, the version's for correctness.
std::vector<CriterionResult> judge_criteria(const Lab& lab, const VersionEvidence& evidence,
                                            double max_points);

}  // namespace cudalabs
