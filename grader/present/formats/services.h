#pragma once
// Documents for the services of courses. Students read them, so they contain no path of the machine and no
// file of the course.

#include <string>

#include "grader/present/formats/formats.h"

namespace cudalabs {

/// results.json of Gradescope. It has no leaderboard, because no teacher has requested one.
std::string gradescope_report(const GradeResult& result);

/// results.json of PrairieLearn, under 1 MB. A submission that does not compile is not gradable, so it costs
/// no attempt.
std::string prairielearn_report(const GradeResult& result);
/// A document that marks the submission as not gradable and says why.
std::string prairielearn_failure(const GradingFailure& failure);

/// {"scores": {...}} with one problem for each version, on one line.
std::string autolab_report(const GradeResult& result);
std::string autolab_failure(const GradingFailure& failure);

/// result.json of Classroom 50, in whole points, rounded down. The environment of its runner identifies the
/// student.
std::string classroom50_report(const GradeResult& result);

}  // namespace cudalabs
