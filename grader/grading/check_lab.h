#pragma once
// Checks that `grader check-labs` makes in addition to a grading.

#include <string>
#include <vector>

#include "grader/grading/compare/rehearsal.h"
#include "grader/grading/grading_context.h"

namespace cudalabs {

/// The compiler's warnings about one of the course's own files; "" if there are none. Errors as grade().
Result<std::string> compiler_warnings(GradingContext& context, const Submission& submission);

/// Sizes that no case has: one sentence for each gap of a size where the next tested one is more than twice
/// as large. No error: a lab may have reasons.
std::vector<std::string> size_holes(const Lab& lab);

/// What the planted bugs show about the criteria (course/planted.h).
struct PlantedFindings {
  /// A bug misses another criterion than it should, or not its own.
  std::vector<std::string> problems;
  /// The criteria that no planted bug misses; empty if the lab plants none.
  std::vector<std::string> unproven;
};
Result<PlantedFindings> check_planted(GradingContext& context);

/// What the lab's oracle shows when all of it is called.
Result<Rehearsal> rehearse_oracle(GradingContext& context);

}  // namespace cudalabs
