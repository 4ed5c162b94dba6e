#pragma once
// Compares the versions of one submission with each other and with the reference.

#include "grader/grading/score/result.h"
#include "grader/present/web/pages/roofline.h"

namespace cudalabs {

/// Bars of the versions that have a time; there must be at least one.
html::Html time_figure(const GradeResult& result);
/// Time, points and counters, with one column for each version.
html::Html counter_table(const GradeResult& result);
html::Html roofline_table(const Roofline& roofline);

}  // namespace cudalabs
