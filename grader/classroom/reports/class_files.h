#pragma once
// Generates the files of a batch's folder for people. They are always generated from the journal.

#include <filesystem>
#include <string>

#include "grader/base/result.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/reports/course_files.h"

namespace cudalabs {

/// A name for a student's files, made of letters of any script, digits, '.', '-' and '_'. It is unique for
/// each student.
std::string file_name_of(const std::string& student);

/// A file's name as a part of an address on a page: bytes that are not plain letters are written as %C3.
std::string address_of(const std::string& file);

/// Writes gradebook.csv, the class's pages (class.html for staff, leaderboard.html with pseudonyms, similar/
/// with files side by side), and for each student a page and a mail text (feedback/STUDENT.html and .txt)
/// and, if there is one, a result (results/STUDENT.json). Error: a file cannot be written.
Result<void> write_reports(ClassFolder& folder, const ClassRecord& record, const CourseFiles& course);

}  // namespace cudalabs
