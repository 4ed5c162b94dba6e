#pragma once
// A class's points as tables: the grader's own, and exported tables of learning platforms, which are filled
// in and never created.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_record.h"
#include "grader/present/csv.h"

namespace cudalabs {

/// One row for each student, ordered by name.
CsvTable gradebook(const ClassRecord& record);

/// What a student has for one assignment of a platform.
struct AssignmentPoints {
  double points = 0;        ///< with the bonus
  double bonus_points = 0;  ///< of them, above the maximum
};

/// Points to put into a platform's table: a column for each assignment.
struct GradeSheet {
  struct Column {
    std::string title;                               ///< as the platform's header has it
    std::map<std::string, AssignmentPoints> points;  ///< by student; who has none is left out
  };
  std::map<std::string, std::string> names;  ///< by student
  std::map<std::string, std::string> ids;    ///< the student of each id that a platform may have
  std::vector<std::string> withdrawn;        ///< students, with the reason
  std::vector<Column> columns;
};

/// The points of one class, for one assignment.
GradeSheet grade_sheet(const ClassRecord& record, const std::string& title);

/// A filled table, and the students that it does not contain.
struct FilledTable {
  CsvTable table;
  std::vector<std::string> missing;  ///< students with points but without a row
  std::vector<std::string> cut{};    ///< students whose bonus does not fit below the platform's maximum
  std::size_t filled = 0;
  std::vector<std::string> students{};  ///< Moodle: by row; empty: not of the class
};

/// Fills Canvas's exported gradebook: keeps its rows and the columns of the assignments ("Lab 3 (4711)"),
/// whose names may omit the number. Students are found by ID, SIS User ID or SIS Login ID. Errors: no such
/// column, a row of two students, or points above the assignment's maximum.
Result<FilledTable> fill_canvas(const GradeSheet& sheet, const CsvTable& exported, const std::string& shown);

/// "4711" of "Participant 4711": how Moodle's worksheet identifies a student.
std::string number_at_end(const std::string& text);

/// Worksheet: of one assignment; the cell behind the grade holds the maximum. Report: of a whole course.
enum class MoodleTable : std::uint8_t { Worksheet, Report };

/// Fills a table of Moodle. Its headers are translated; an empty title is "Grade". Students are found by the
/// cells in front of the grades: the number in a worksheet's identifier, an id, or the e-mail address. Errors
/// as above. Moodle takes no grade above the maximum: a bonus is cut there.
Result<FilledTable> fill_moodle(const GradeSheet& sheet, const CsvTable& exported, MoodleTable kind,
                                const std::string& shown);

}  // namespace cudalabs
