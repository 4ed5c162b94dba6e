#pragma once
// Checks that `grader check-labs` makes in addition to a grading.

#include <string>
#include <vector>

#include "grader/grading/grading_context.h"

namespace cudalabs {

/// The compiler's warnings about one of the course's own files; "" if there are none. Errors as grade().
Result<std::string> compiler_warnings(GradingContext& context, const Submission& submission);

/// The problems of the lab's oracle (grading/compare/rehearsal.h).
Result<std::vector<std::string>> rehearse_oracle(GradingContext& context);

}  // namespace cudalabs
