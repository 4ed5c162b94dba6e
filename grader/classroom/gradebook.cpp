#include "grader/classroom/gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

std::string time_text(const HandInTime& time) {
  if (time.at == 0) return {};
  const std::string utc = utc_time(time.at);
  return time.zoneless ? utc.substr(0, utc.find('Z')) : utc;
}

std::vector<const Student*> by_name(const ClassRecord& record) {
  std::vector<const Student*> students;
  for (const auto& [id, student] : record.students) students.push_back(&student);
  std::ranges::sort(students, [](const Student* a, const Student* b) {
    return a->name != b->name ? natural_less(a->name, b->name) : natural_less(a->id, b->id);
  });
  return students;
}

std::string status_of(const Grade& grade) {
  std::string open;
  for (const GivenPoints& one : grade.given)
    if (!one.points) open += (open.empty() ? "" : " ") + one.open.name;
  if (grade.withdrawn != nullptr)
    return harmless_cell(
        one_line(msg::status_withdrawn(grade.withdrawn->reason, grade.withdrawn->author).english()));
  if (grade.problem.empty()) return open.empty() ? "graded" : "graded, open: " + open;
  if (grade.by_hand) return harmless_cell(one_line(msg::status_by_hand(grade.problem).english()));
  if (grade.problem.contains(msg::not_graded_yet)) return grade.problem.english();
  return harmless_cell(one_line(msg::status_not_graded(grade.problem).english()));
}

/// The versions' names, in the order of a result.
std::vector<std::string> version_names(const ClassRecord& record) {
  std::vector<std::string> names;
  for (const auto& [source, gradings] : record.gradings) {
    for (const VersionScore& version : gradings.back().versions) {
      if (std::ranges::find(names, version.name) == names.end()) names.push_back(version.name);
    }
  }
  return names;
}

/// The names of points that were open, in the order of a result.
std::vector<std::string> open_names(const ClassRecord& record) {
  std::vector<std::string> names;
  for (const auto& [source, gradings] : record.gradings) {
    for (const OpenPoints& open : gradings.back().open)
      if (std::ranges::find(names, open.name) == names.end()) names.push_back(open.name);
  }
  return names;
}

/// A cell for each name: the points, or nothing while they are open.
void add_given(CsvRow& row, const Grade& grade, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found =
        std::ranges::find(grade.given, name, [](const GivenPoints& one) { return one.open.name; });
    const bool known = found != grade.given.end() && found->points;
    row.push_back(known ? human_points(*found->points) : "");
  }
}

/// Checks that the platform accepts these points. An empty `limit` means no limit. A bonus may exceed it.
Result<void> check_range(const AssignmentPoints& earned, const std::string& limit, const std::string& who,
                         const std::string& shown) {
  std::string_view digits = limit;
  const auto most = take_leading_number<double>(digits);
  if (!most || earned.points - earned.bonus_points <= *most) return {};
  return Diagnostic{{shown, 0, 0},
                    msg::more_points_than_possible(who, earned.points, limit),
                    msg::give_the_task_more_points()};
}

/// Finds the student of each row of a platform's table.
class Roster {
 public:
  Roster(const GradeSheet& sheet, std::string shown) : sheet_(sheet), shown_(std::move(shown)) {}

  /// The student whose ids stand in a row of the table; "": nobody of this class.
  Result<std::string> take(const std::vector<std::string>& cells, std::size_t row) {
    std::string student;
    for (const std::string& cell : cells) {
      const auto found = sheet_.ids.find(cell);
      if (cell.empty() || found == sheet_.ids.end() || found->second == student) continue;
      if (!student.empty())
        return Diagnostic{
            {shown_, static_cast<int>(row) + 2, 0}, msg::row_of_two_students(student, found->second), {}};
      student = found->second;
    }
    if (!student.empty()) taken_.insert(student);
    return student;
  }

  [[nodiscard]] std::vector<std::string> missing() const {
    std::set<std::string> names;
    for (const GradeSheet::Column& column : sheet_.columns)
      for (const auto& [student, points] : column.points)
        if (!taken_.contains(student)) names.insert(student);
    return {names.begin(), names.end()};
  }

 private:
  const GradeSheet& sheet_;
  std::string shown_;
  std::set<std::string> taken_;
};

const AssignmentPoints* points_of(const GradeSheet::Column& column, const std::string& student) {
  const auto found = column.points.find(student);
  return found == column.points.end() ? nullptr : &found->second;
}

}  // namespace

std::string number_at_end(const std::string& text) {
  std::size_t start = text.size();
  while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
  return text.substr(start);
}

CsvTable gradebook(const ClassRecord& record) {
  CsvTable table;
  const std::vector<std::string> versions = version_names(record);
  table.header = {"student", "name", "points", "max_points"};
  table.header.insert(table.header.end(), versions.begin(), versions.end());
  const std::vector<std::string> open = open_names(record);
  table.header.insert(table.header.end(), open.begin(), open.end());
  for (const char* column : {"late_days", "late_penalty", "adjusted", "submitted_at", "status", "place",
                             "note", "compiler", "device", "device_profile", "seed_policy"})
    table.header.emplace_back(column);
  for (const Student* student : by_name(record)) {
    const Grade grade = grade_of(record, *student);
    // A student who could not be graded has no points yet, so the cell is empty and not zero.
    const bool has_maximum = grade.scored() && (grade.grading != nullptr || grade.max_points > 0);
    CsvRow row = {harmless_cell(student->id), harmless_cell(student->name),
                  grade.scored() ? human_points(grade.points) : "",
                  has_maximum ? human_points(grade.max_points) : ""};
    for (const std::string& name : versions) {
      const VersionScore* version = nullptr;
      if (grade.grading != nullptr) {
        const auto found = std::ranges::find(grade.grading->versions, name, &VersionScore::name);
        if (found != grade.grading->versions.end()) version = &*found;
      }
      row.push_back(version != nullptr ? human_points(version->points) : "");
    }
    add_given(row, grade, open);
    row.push_back(grade.late.known ? human_points(grade.late.days) : "unknown");
    row.push_back(human_points(grade.late.penalty));
    row.push_back(grade.adjusted == 0 ? "" : human_points(grade.adjusted));
    row.push_back(time_text(grade.handed->time));
    row.push_back(status_of(grade));
    row.push_back(harmless_cell(grade.handed->place));
    row.push_back(harmless_cell(one_line(grade.handed->note.english())));
    const Conditions conditions = grade.grading != nullptr ? grade.grading->conditions : Conditions();
    for (const std::string& one :
         {conditions.compiler, conditions.device, conditions.profile, conditions.seed_policy})
      row.push_back(harmless_cell(one));
    table.rows.push_back(std::move(row));
  }
  return table;
}

GradeSheet grade_sheet(const ClassRecord& record, const std::string& title) {
  GradeSheet sheet;
  sheet.columns.push_back({title, {}});
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    sheet.names[id] = student.name;
    sheet.ids[id] = id;
    if (grade.withdrawn != nullptr) sheet.withdrawn.push_back(id + ": " + grade.withdrawn->reason);
    if (!grade.scored()) continue;
    const bool has_bonus = grade.grading != nullptr && grade.withdrawn == nullptr;
    sheet.columns[0].points[id] = {grade.points, has_bonus ? grade.grading->bonus_points : 0};
  }
  return sheet;
}

namespace {

/// The column of an assignment in Canvas's table, whose header adds a number.
Result<std::size_t> canvas_column(const CsvTable& exported, const std::string& assignment,
                                  const std::string& shown) {
  int column = exported.column(assignment);
  for (std::size_t i = 0; column < 0 && i < exported.header.size(); ++i) {
    if (exported.header[i].starts_with(assignment + " (") && exported.header[i].ends_with(")"))
      column = static_cast<int>(i);
  }
  if (column < 0 || assignment.empty()) {
    return Diagnostic{{shown, 0, 0},
                      msg::no_such_assignment(assignment, suggestion(assignment, exported.header)),
                      msg::name_assignment_as_header()};
  }
  return static_cast<std::size_t>(column);
}

/// The texts of a row of Moodle's table that may be a student's id.
std::vector<std::string> moodle_ids(const CsvRow& row, MoodleTable kind, std::size_t first_grade) {
  std::vector<std::string> ids;
  if (kind == MoodleTable::Worksheet) ids.push_back(number_at_end(row.front()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool whole = kind == MoodleTable::Report && i < first_grade;
    if (whole || row[i].find('@') != std::string::npos) ids.push_back(row[i]);
  }
  return ids;
}

}  // namespace

Result<FilledTable> fill_canvas(const GradeSheet& sheet, const CsvTable& exported, const std::string& shown) {
  std::vector<std::size_t> kept, ids, grades;
  for (const char* name : {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}) {
    const int found = exported.column(name);
    if (found < 0) continue;
    kept.push_back(static_cast<std::size_t>(found));
    if (std::string_view(name) != "Student" && std::string_view(name) != "Section")
      ids.push_back(kept.back());
  }
  if (ids.empty()) return Diagnostic{{shown, 0, 0}, msg::no_canvas_gradebook(), {}};
  for (const GradeSheet::Column& column : sheet.columns) {
    auto at = canvas_column(exported, column.title, shown);
    if (!at) return at.problem();
    grades.push_back(*at);
  }
  FilledTable filled;
  filled.table.byte_order_mark = exported.byte_order_mark;
  for (const std::size_t i : kept) filled.table.header.push_back(exported.header[i]);
  for (const std::size_t i : grades) filled.table.header.push_back(exported.header[i]);
  Roster roster(sheet, shown);
  CsvRow possible(exported.header.size());
  for (std::size_t r = 0; r < exported.rows.size(); ++r) {
    const CsvRow& row = exported.rows[r];
    CsvRow out;
    for (const std::size_t i : kept) out.push_back(row[i]);
    if (row.front().find("Points Possible") != std::string::npos) possible = row;
    std::vector<std::string> names;
    for (const std::size_t i : ids) names.push_back(row[i]);
    auto student = roster.take(names, r);
    if (!student) return student.problem();
    bool any = false;
    for (std::size_t c = 0; c < grades.size(); ++c) {
      const AssignmentPoints* earned = points_of(sheet.columns[c], *student);
      if (earned != nullptr) {
        auto fits = check_range(*earned, possible[grades[c]], sheet.names.at(*student), shown);
        if (!fits) return fits.problem();
      }
      out.push_back(earned != nullptr ? human_points(earned->points) : row[grades[c]]);
      any = any || earned != nullptr;
    }
    filled.filled += any ? 1 : 0;
    filled.table.rows.push_back(std::move(out));
  }
  filled.missing = roster.missing();
  return filled;
}

Result<FilledTable> fill_moodle(const GradeSheet& sheet, const CsvTable& exported, MoodleTable kind,
                                const std::string& shown) {
  std::vector<std::size_t> grades;
  for (const GradeSheet::Column& column : sheet.columns) {
    const std::string name = column.title.empty() ? "Grade" : column.title;
    const int found = exported.column(name);
    if (found < 0) {
      return Diagnostic{{shown, 0, 0},
                        msg::no_such_column(name, suggestion(name, exported.header)),
                        msg::moodle_translates_headers()};
    }
    grades.push_back(static_cast<std::size_t>(found));
  }
  FilledTable filled;
  filled.table = exported;
  Roster roster(sheet, shown);
  for (std::size_t r = 0; r < filled.table.rows.size(); ++r) {
    CsvRow& row = filled.table.rows[r];
    auto student = roster.take(moodle_ids(row, kind, std::ranges::min(grades)), r);
    if (!student) return student.problem();
    filled.students.push_back(*student);
    bool any = false;
    for (std::size_t c = 0; c < grades.size(); ++c) {
      const AssignmentPoints* earned = points_of(sheet.columns[c], *student);
      if (earned == nullptr) continue;
      const std::size_t beside = grades[c] + 1;
      const std::string most = kind == MoodleTable::Worksheet && beside < row.size() ? row[beside] : "";
      if (auto fits = check_range(*earned, most, sheet.names.at(*student), shown); !fits)
        return fits.problem();
      std::string_view digits = most;
      const double limit = take_leading_number<double>(digits).value_or(earned->points);
      if (earned->points > limit) filled.cut.push_back(*student);  // Moodle leaves such a grade out
      row[grades[c]] = human_points(std::min(earned->points, limit));
      any = true;
    }
    filled.filled += any ? 1 : 0;
  }
  filled.missing = roster.missing();
  return filled;
}

}  // namespace cudalabs
