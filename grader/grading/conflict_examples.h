#pragma once
// Records the accesses themselves, for reports that show bank conflicts lane by lane.

#include "grader/base/result.h"
#include "grader/grading/grade.h"

namespace cudalabs {

/// Fills `conflicts` of the versions that lost points to bank conflicts. It runs their timed case once more
/// and records every shared access. Errors as grade().
Result<void> add_conflict_examples(GradingContext& context, const GradeJob& job, GradeResult& result);

}  // namespace cudalabs
