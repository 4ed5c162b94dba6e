#pragma once
// What each student of a class is told.

#include <string>

#include "grader/base/result.h"
#include "grader/classroom/class_record.h"
#include "grader/grading/score/result.h"
#include "grader/present/standing.h"

namespace cudalabs {

/// `pseudonym`: on the leaderboard. The page names the student as the record's rule says.
Standing standing_of(const ClassRecord& record, const Student& student, const std::string& pseudonym);

/// As a page, and as a text to be mailed.
struct StudentFeedback {
  std::string page, text;
};
/// `title`: of the lab. Error: the journal holds a result that cannot be read.
Result<StudentFeedback> feedback_of(const ClassRecord& record, const Student& student,
                                    const std::string& pseudonym, const std::string& title);

/// The result of a grading. Error: the journal holds one that cannot be read.
Result<GradeResult> result_of(const Grading& grading);

}  // namespace cudalabs
