#pragma once
// Computes the fingerprints of a submission (grader/classroom/similarity) from its build.

#include "grader/base/result.h"
#include "grader/classroom/similarity/fingerprints.h"
#include "grader/grading/grading_context.h"
#include "grader/submission/locate.h"

namespace cudalabs {

/// The fingerprints of a submission, which is built unless the cache has it. Errors mean that the grader
/// could not build it.
Result<Fingerprints> submission_prints(GradingContext& context, const Submission& submission);

/// The fingerprints of the files that all students were given: the stub and the contract.
Result<Fingerprints> handed_out_prints(GradingContext& context);

/// The fingerprints of the reference solution. Errors: the course has none, or it cannot be built.
Result<Fingerprints> reference_prints(GradingContext& context);

}  // namespace cudalabs
