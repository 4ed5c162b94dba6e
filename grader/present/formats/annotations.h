#pragma once
// Lost points as annotations of source lines, for services that show a source.

#include <string>

#include "grader/present/formats/formats.h"

namespace cudalabs {

/// Commands to GitHub's runner, one on each line. GitHub shows ten in a step. Losses at one line for one
/// reason are one annotation, and if there are more than ten, the tenth says how many are left out.
std::string github_annotations(const GradeResult& result);
std::string github_failure(const GradingFailure& failure);

/// A line for each loss, as compilers write them: "FILE:LINE: error: ...". A loss without a place is at line
/// 1.
std::string problem_lines(const GradeResult& result);

/// GitLab's Code Quality report.
std::string code_quality_report(const GradeResult& result);

}  // namespace cudalabs
