#pragma once
// JUnit XML as GitLab reads it: a suite a version, a case a part, and what a person must read in the bodies.

#include <string>

#include "grader/report/formats.h"

namespace cudalabs {

std::string junit_report(const GradeResult& result);
/// One case with an <error>.
std::string junit_failure(const GradingFailure& failure);

}  // namespace cudalabs
