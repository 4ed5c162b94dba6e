#pragma once
// Does what a handout promises to students agree with what is graded? For `grader check-labs`.

#include <string>
#include <vector>

#include "grader/config/lab.h"

namespace cudalabs::cli {

/// What is wrong with the handouts of a lab, in every language that there is one in, a sentence each. Every
/// handout has two tables: a row "| `global` | ... | 30 |" for each version with its points, and one whose
/// header names the versions, with what each of their points is for, right answers first and speed last; and
/// it repeats the contract's declarations.
std::vector<std::string> handout_problems(const Lab& lab);

}  // namespace cudalabs::cli
