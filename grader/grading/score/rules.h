#pragma once
// The rules of a version, `forbids` and `requires`: judged by what its kernels are and do. Nothing forbidden
// may be done in any case that ran; what is required is done in the timed case.

#include <optional>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// Notes what the launches of a case do, as long as each of them is known.
void record_deeds(CaseEvidence& evidence);

/// The library that does the version's work although it is forbidden: then the version earns nothing.
std::optional<Remark> forbidden_library(const Version& version, const std::vector<CaseEvidence>& cases);

/// The first other rule that the version breaks; none if it keeps all. The timed case is the last one.
std::optional<Remark> broken_rule(const Version& version, const std::vector<CaseEvidence>& cases,
                                  const sim::Provenance& origins);

}  // namespace cudalabs
