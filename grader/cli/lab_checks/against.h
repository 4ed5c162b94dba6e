#pragma once
// Grades a folder of submissions against a lab, to see how its points are distributed before students do. For
// `grader check-labs --against`.

#include <filesystem>

#include "grader/grading/grading_context.h"

namespace cudalabs::cli {

/// Prints one line for each submission, and how the points and criteria are distributed. `source`: a folder
/// or an archive, as `grader batch` reads it. All are graded with one seed. Errors: the source cannot be read
/// or has no submission, or grading failed.
Result<void> print_points_of(GradingContext& context, const std::filesystem::path& source);

}  // namespace cudalabs::cli
