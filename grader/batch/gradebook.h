#pragma once
// A class's points as tables: our own, and those of learning platforms, which are
// filled in and never made up.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/class_record.h"
#include "grader/batch/csv.h"
#include "grader/support/result.h"

namespace cudalabs {

/// One row a student, in the order of their names.
CsvTable gradebook(const ClassRecord& record);

/// A table that was filled in, and whom it does not know.
struct FilledTable {
  CsvTable table;
  std::vector<std::string> missing;  ///< students with points and without a row
  std::size_t filled = 0;
};

/// Canvas's exported gradebook: its rows with the column of one assignment ("Lab 3 (4711)"), which may be
/// named without the number. Students are found by ID, SIS User ID or SIS Login ID. Errors: no such column,
/// points above what the assignment allows.
Result<FilledTable> fill_canvas(const ClassRecord& record, const CsvTable& exported,
                                const std::string& assignment, const std::string& shown);

/// Moodle's grading worksheet. Its headers are translated, so `column` may say what the grades' is
/// called; "": "Grade". Students are found by the number in their identifier, or by their e-mail
/// address. Errors as above.
Result<FilledTable> fill_moodle(const ClassRecord& record, const CsvTable& worksheet,
                                const std::string& column, const std::string& shown);

}  // namespace cudalabs
