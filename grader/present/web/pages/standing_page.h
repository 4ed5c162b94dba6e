#pragma once
// Puts what a student has in a class onto the page of the grading that counts.

#include <string>

#include "grader/present/standing.h"

namespace cudalabs {

/// The page that submission_page() wrote when the submission was graded, with the points that count now, the
/// student, and the attempts. The page of an earlier grader will do.
std::string with_standing(std::string page, const Standing& standing);

/// The page of a student whose work could not be graded.
std::string standing_page(const Standing& standing);

}  // namespace cudalabs
