#pragma once
// Checks that a lab's handout agrees with the grading. For `grader check-labs`.

#include <string>
#include <vector>

#include "grader/course/lab.h"

namespace cudalabs::cli {

/// The problems of a lab's handouts in all languages, one sentence each. Every handout has two tables. One
/// has a row "| `global` | ... | 30 |" with the points of each version. The other has the versions in its
/// header and lists what their points are for, correctness first and speed last. The handout must also repeat
/// the contract's declarations.
std::vector<std::string> handout_problems(const Lab& lab);

}  // namespace cudalabs::cli
