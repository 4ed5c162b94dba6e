#pragma once
// The versions of one submission beside each other, and beside the reference.

#include <string>

#include "grader/pages/roofline.h"
#include "grader/score/result.h"

namespace cudalabs {

/// Bars of the versions that have a time; there must be one.
std::string time_figure(const GradeResult& result);
/// Time, points and counters: a column a version.
std::string counter_table(const GradeResult& result);
std::string roofline_table(const Roofline& roofline);

}  // namespace cudalabs
