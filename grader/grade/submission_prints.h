#pragma once
// The fingerprints of a submission (grader/copies), by way of what a bench builds of it.

#include "grader/copies/fingerprints.h"
#include "grader/grade/bench.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

/// Of a submission, which is built unless the cache has it. Errors mean that the grader could not build.
Result<Fingerprints> submission_prints(Bench& bench, const Submission& submission);

/// Of what everybody was given: the stub and the contract.
Result<Fingerprints> handed_out_prints(Bench& bench);

}  // namespace cudalabs
