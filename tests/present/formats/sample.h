#pragma once
// Results to write reports from.

#include "grader/grading/score/result.h"

namespace cudalabs {

/// Everything right but the speed of nothing.
GradeResult full_marks();
/// More than full marks: a bonus criterion and a bonus version, and points that are open.
GradeResult with_bonus();
/// full_marks() on a card: one version replayed, the others timed live.
GradeResult measured();
/// A wrong answer, bank conflicts with a source line, a version missing: something of everything.
GradeResult mixed();
/// The first of three versions is graded, the others are not run yet.
GradeResult partial();
/// Nothing compiled.
GradeResult compile_error();

}  // namespace cudalabs
