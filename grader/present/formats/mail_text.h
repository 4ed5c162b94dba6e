#pragma once
// What a student has, as plain text: to be mailed, or pasted where a page cannot be attached.

#include <string>

#include "grader/grading/score/result.h"
#include "grader/present/standing.h"

namespace cudalabs {

/// Lines of at most 76 columns, in the language of the reader. `result`: of the grading that counts; null:
/// there is none. Texts of the submission are made printable and cut to a bounded length.
std::string mail_text(const Standing& standing, const GradeResult* result);

}  // namespace cudalabs
