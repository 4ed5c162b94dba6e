#pragma once
// Lost points at the lines that lost them, for services that show a source.

#include <string>

#include "grader/report/formats.h"

namespace cudalabs {

/// Commands to GitHub's runner, a line each. It shows ten of a step: what is lost at one line for one reason
/// is one, and of more than ten the tenth says how many are left out.
std::string github_annotations(const GradeResult& result);
std::string github_failure(const GradingFailure& failure);

/// GitLab's Code Quality report.
std::string code_quality_report(const GradeResult& result);

}  // namespace cudalabs
