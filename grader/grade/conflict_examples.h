#pragma once
// For who shows bank conflicts lane by lane: the accesses themselves.

#include "grader/grade/grade.h"
#include "grader/support/result.h"

namespace cudalabs {

/// Fills `conflicts` of the versions that lost points to bank conflicts: their timed case is run once more,
/// with every shared access looked at. Errors as grade().
Result<void> add_conflict_examples(Bench& bench, const GradeJob& job, GradeResult& result);

}  // namespace cudalabs
