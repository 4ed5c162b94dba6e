#pragma once
// A class's points as tables: the grader's own, and exported tables of learning platforms, which are filled
// in and never created.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_record.h"
#include "grader/present/csv.h"

namespace cudalabs {

/// One row for each student, ordered by name.
CsvTable gradebook(const ClassRecord& record);

/// A filled table, and the students that it does not contain.
struct FilledTable {
  CsvTable table;
  std::vector<std::string> missing;  ///< students with points but without a row
  std::vector<std::string> cut{};    ///< students whose bonus does not fit below the platform's maximum
  std::size_t filled = 0;
  std::vector<std::string> students{};  ///< Moodle: by row; empty: not of the class
};

/// Fills Canvas's exported gradebook: keeps its rows and the column of one assignment ("Lab 3 (4711)"), whose
/// name may omit the number. Students are found by ID, SIS User ID or SIS Login ID. Errors: no such column,
/// or points above the assignment's maximum.
Result<FilledTable> fill_canvas(const ClassRecord& record, const CsvTable& exported,
                                const std::string& assignment, const std::string& shown);

/// "4711" of "Participant 4711": how Moodle's worksheet identifies a student.
std::string number_at_end(const std::string& text);

/// Fills Moodle's grading worksheet. Its headers are translated, so `column` may give the name of the grade
/// column; "": "Grade". Students are found by the number in their identifier or by their e-mail address.
/// Errors as above. Moodle takes no grade above the maximum: a bonus is cut there.
Result<FilledTable> fill_moodle(const ClassRecord& record, const CsvTable& worksheet,
                                const std::string& column, const std::string& shown);

}  // namespace cudalabs
