#pragma once
// Checks that a version uses the algorithm that the lab asks for. Each condition is something that the
// algorithm cannot do without, so every program with that algorithm passes, whatever its block size and
// style.

#include <optional>

#include "grader/course/lab.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// The first condition that the timed case does not meet. `origins`: the provenance in the tracked case. If
/// it is not known, or if the results come from the host, `exchange` is not checked.
std::optional<Remark> other_algorithm(const Algorithm& asked, const CaseEvidence& timed,
                                      const CaseEvidence* larger, const sim::Provenance& origins);

}  // namespace cudalabs
