#pragma once
// What `grader check-labs` asks besides a grading.

#include <string>
#include <vector>

#include "grader/grade/bench.h"

namespace cudalabs {

/// What the compiler warns about in one of the course's own files, "" if it says nothing. Errors as grade().
Result<std::string> compiler_warnings(Bench& bench, const Submission& submission);

/// What is wrong with the lab's oracle (check/rehearsal.h).
Result<std::vector<std::string>> rehearse_oracle(Bench& bench);

}  // namespace cudalabs
