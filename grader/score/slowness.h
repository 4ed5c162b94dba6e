#pragma once
// Why a version takes longer than the reference's.

#include <span>

#include "grader/score/remarks.h"

namespace cudalabs {

/// By the bound of the estimate that makes up most of the difference, and by the counter behind it; with the
/// line that has most of it. Empty reason: no bound stands out.
Remark explain_time(std::span<const LaunchRecord> student, std::span<const LaunchRecord> reference);

}  // namespace cudalabs
