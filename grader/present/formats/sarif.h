#pragma once
// Lost points as SARIF, for code scanning and editors. A rule is the id of what happened, so that a course can
// count and suppress it over the years.

#include <string>

#include "grader/grading/score/result.h"

namespace cudalabs {

/// In English, as every document that programs read.
std::string sarif_report(const GradeResult& result);

}  // namespace cudalabs
