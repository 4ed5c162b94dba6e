#pragma once
// Is it the algorithm that a version asks for? Each condition is something that it cannot do without, so that
// any program that has it passes, whatever its blocks and its style.

#include <optional>

#include "grader/config/lab.h"
#include "grader/score/remarks.h"

namespace cudalabs {

/// The first condition that the timed case does not meet. `origins`: of the case that was followed; if it is
/// not known, or if the results come from the host, `exchange` is not asked.
std::optional<Remark> other_algorithm(const Algorithm& asked, const CaseEvidence& timed,
                                      const sim::Origins& origins);

}  // namespace cudalabs
