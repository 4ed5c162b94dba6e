#pragma once
// Results to write reports from.

#include <string>

#include "grader/score/result.h"

namespace cudalabs {

/// Everything right but the speed of nothing.
GradeResult full_marks();
/// The same on a card: one version replayed, the others timed live.
GradeResult measured();
/// A wrong answer, bank conflicts with a source line, a version missing: something of everything.
GradeResult mixed();
/// The first of three versions is graded, the others are not run yet.
GradeResult partial();
/// Nothing compiled.
GradeResult compile_error();

/// Compares a text with tests/report/golden/NAME; UPDATE_GOLDEN=1 writes it anew.
void check_golden(const std::string& name, const std::string& text);

}  // namespace cudalabs
