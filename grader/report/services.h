#pragma once
// What the services of courses read. Their documents are for students: no path of the machine,
// nothing of the course's.

#include <string>

#include "grader/report/formats.h"

namespace cudalabs {

/// results.json of Gradescope. No leaderboard: a teacher has not asked for one.
std::string gradescope_report(const GradeResult& result);

/// results.json of PrairieLearn, under 1 MB. What does not compile is not gradable, so it costs no attempt.
std::string prairielearn_report(const GradeResult& result);
/// Not gradable, and says why.
std::string prairielearn_failure(const GradingFailure& failure);

/// {"scores": {...}} with a problem a version, on one line.
std::string autolab_report(const GradeResult& result);
std::string autolab_failure(const GradingFailure& failure);

/// result.json of Classroom 50, in whole points, rounded down. Whose it is stands in the
/// environment of its runner.
std::string classroom50_report(const GradeResult& result);

}  // namespace cudalabs
