#pragma once
// The score card: a table that a person reads at a glance, then the lost points with advice.

#include <string>

#include "grader/grading/score/result.h"
#include "grader/present/terminal/terminal_text.h"

namespace cudalabs {

std::string console_report(const GradeResult& result, const ConsoleStyle& style);

/// What to mend first, as the card tells it, without its title: the first cause, or all that the compiler
/// says. Empty if no points are lost.
std::string first_cause_report(const GradeResult& result, const ConsoleStyle& style);

/// One line: "lab3 variant4: 67.5 of 100 points".
std::string summary_line(const GradeResult& result);

}  // namespace cudalabs
