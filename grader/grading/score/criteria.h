#pragma once
// Correctness by criteria: which of them the cases of a version meet, and what that earns.

#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// A lab in which no finding of a checker may remain: it has the criterion kSafe.
bool must_be_safe(const Lab& lab);

/// Returns whether the version computes anything that is right. What does nothing meets the cases without
/// elements, what only sets a length to 0 those whose answer is empty, and no checker finds anything in it.
bool computes(const VersionEvidence& evidence);

/// Returns whether the case with this index, in the lab's order, is of a bonus criterion.
bool is_bonus(const Lab& lab, std::size_t index);

/// In the order of the lab. The points sum to at most `max_points`, the version's for correctness, and those
/// of bonus criteria to `bonus_points`.
std::vector<CriterionResult> judge_criteria(const Lab& lab, const VersionEvidence& evidence,
                                            double max_points, double bonus_points);

}  // namespace cudalabs
