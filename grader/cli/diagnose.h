#pragma once
// Runs NVIDIA's tools on a submission on the GPU: `grader LAB VARIANT --sanitize` and `--profile`.

#include <string>

#include "grader/cli/command.h"
#include "grader/grading/grade.h"

namespace cudalabs::cli {

/// Runs each tool of compute-sanitizer on each version. Returns kLostPoints if one of them found an error.
int run_sanitizer(GradingContext& context, const GradeJob& job, const Progress& progress);

/// Writes an Nsight Compute report of a version's kernels to `file`; with several versions one report each,
/// to FILE-VERSION.
int write_profile(GradingContext& context, const GradeJob& job, const std::string& file,
                  const Progress& progress);

}  // namespace cudalabs::cli
