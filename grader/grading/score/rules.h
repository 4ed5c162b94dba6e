#pragma once
// The rules of a version, `forbids` and `requires`: judged by what its kernels are and do in the timed case.

#include <optional>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// The library that does the version's work although it is forbidden: then the version earns nothing.
std::optional<Remark> forbidden_library(const Version& version, const CaseEvidence& timed);

/// The first other rule that the version breaks; none if it keeps all.
std::optional<Remark> broken_rule(const Version& version, const CaseEvidence& timed,
                                  const sim::Provenance& origins);

}  // namespace cudalabs
