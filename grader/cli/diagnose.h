#pragma once
// NVIDIA's own tools over what a submission does on the
// card: `grader LAB VARIANT --sanitize` and `--profile`.

#include <string>

#include "grader/cli/command.h"
#include "grader/grade/grade.h"

namespace cudalabs::cli {

/// Each tool of compute-sanitizer over each version. kLostPoints if one of them found something.
int run_sanitizer(Bench& bench, const GradeJob& job, const Progress& progress);

/// Writes an Nsight Compute report of the kernels that a version
/// launches: `file`, or with several versions one each, FILE-VERSION.
int write_profile(Bench& bench, const GradeJob& job, const std::string& file, const Progress& progress);

}  // namespace cudalabs::cli
