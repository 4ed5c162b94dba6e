#pragma once
// Checks that the kernels of a version run on all devices of a lab with several (`devices`).

#include <optional>

#include "grader/course/lab.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// What is wrong if a device does less than half of its share of the timed case's warp instructions.
std::optional<Remark> idle_device(const Version& version, const CaseEvidence& timed);

}  // namespace cudalabs
