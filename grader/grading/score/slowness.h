#pragma once
// Explains why a version takes longer than the reference's.

#include <span>

#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// Selects the bound of the estimate with the largest part of the difference, and the counter behind it. Also
/// names the line that contributes most. Empty reason: no bound stands out.
Remark explain_time(std::span<const LaunchRecord> student, std::span<const LaunchRecord> reference);

}  // namespace cudalabs
