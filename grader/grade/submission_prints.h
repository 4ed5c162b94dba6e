#pragma once
// Computes the fingerprints of a submission (grader/copies) from its build.

#include "grader/copies/fingerprints.h"
#include "grader/grade/bench.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

/// The fingerprints of a submission, which is built unless the cache has it. Errors mean that the grader
/// could not build it.
Result<Fingerprints> submission_prints(Bench& bench, const Submission& submission);

/// The fingerprints of the files that all students were given: the stub and the contract.
Result<Fingerprints> handed_out_prints(Bench& bench);

}  // namespace cudalabs
