#pragma once
// The files of a batch's folder that people read, made anew from the journal each time.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/class_folder.h"
#include "grader/batch/class_record.h"
#include "grader/support/result.h"

namespace cudalabs {

/// A name for a student's files: letters of any script, digits, '.', '-' and '_'; different
/// students get different ones.
std::string file_name_of(const std::string& student);

/// Writes gradebook.csv, the class's pages (class.html for staff, leaderboard.html without names),
/// and for each student a result (results/STUDENT.json) and a page (feedback/STUDENT.html). Error:
/// a file cannot be written.
Result<void> write_reports(ClassFolder& folder, const ClassRecord& record);

/// "7: alice handed in ..." a line an event, for people; with `student` theirs alone.
Result<std::vector<std::string>> journal_lines(ClassFolder& folder, const std::string& student);

}  // namespace cudalabs
