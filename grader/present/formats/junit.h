#pragma once
// Writes JUnit XML as GitLab reads it: a suite for each version, a case for each part, and the explanations
// in the bodies.

#include <string>

#include "grader/present/formats/formats.h"

namespace cudalabs {

std::string junit_report(const GradeResult& result);
/// One case with an <error>.
std::string junit_failure(const GradingFailure& failure);

}  // namespace cudalabs
