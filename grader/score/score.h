#pragma once
// The rubric: evidence in, points and explanations out. Pure: no files, no clock, no device.

#include <vector>

#include "grader/config/lab.h"
#include "grader/score/evidence.h"
#include "grader/score/result.h"

namespace cudalabs {

/// Judges every version of the lab; `evidence` holds one entry a version, in the lab's order. Fills in
/// points, versions and max_points of the result; the rest (device, seed, source, ...) is the caller's.
GradeResult score(const Lab& lab, std::vector<VersionEvidence> evidence);

/// Share of the points at reference time / student time =
/// `ratio`: piecewise linear, constant outside the curve.
double curve_share(const std::vector<std::pair<double, double>>& curve, double ratio);

}  // namespace cudalabs
