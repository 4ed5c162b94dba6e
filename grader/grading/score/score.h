#pragma once
// The rubric: turns evidence into points and explanations. Pure functions: no files, no clock, no device.

#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// Judges every version of the lab. `evidence` holds one entry for each version, in the lab's order. Sets
/// points, versions and max_points of the result; the caller sets the rest (device, seed, source, ...).
GradeResult score(const Lab& lab, std::vector<VersionEvidence> evidence);

/// The share of the points if reference time / student time = `ratio`: piecewise linear, constant outside the
/// curve.
double curve_share(const std::vector<std::pair<double, double>>& curve, double ratio);

}  // namespace cudalabs
