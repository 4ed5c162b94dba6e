#pragma once
// Generates the files of a batch's folder for people. They are always generated from the journal.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"

namespace cudalabs {

/// A name for a student's files, made of letters of any script, digits, '.', '-' and '_'. It is unique for
/// each student.
std::string file_name_of(const std::string& student);

/// Writes gradebook.csv, the class's pages (class.html for staff, leaderboard.html without names), and a
/// result (results/STUDENT.json) and a page (feedback/STUDENT.html) for each student. Error: a file cannot be
/// written.
Result<void> write_reports(ClassFolder& folder, const ClassRecord& record);

/// One line for each event, for people: "7: alice handed in ..."; with `student` only that student's events.
Result<std::vector<std::string>> journal_lines(ClassFolder& folder, const std::string& student);

}  // namespace cudalabs
