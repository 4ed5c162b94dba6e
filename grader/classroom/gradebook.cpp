#include "grader/classroom/gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

std::string time_text(const HandInTime& time) {
  if (time.at == 0) return {};
  const auto seconds = static_cast<std::time_t>(time.at);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, time.zoneless ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%dT%H:%M:%SZ",
                              &parts)};
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
  if (grade.problem.empty()) return open.empty() ? "graded" : "graded, open: " + open;
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
Result<void> check_range(const Grade& grade, const std::string& limit, const std::string& who,
                         const std::string& shown) {
  std::string_view digits = limit;
  const auto most = take_leading_number<double>(digits);
  if (!most || grade.points - grade.grading->bonus_points <= *most) return {};
  return Diagnostic{{shown, 0, 0},
                    msg::more_points_than_possible(who, grade.points, limit),
                    msg::give_the_task_more_points()};
}

/// Finds the student of a row, and each student only once.
class Roster {
 public:
  explicit Roster(const ClassRecord& record) {
    for (const auto& [id, student] : record.students) students_[id] = &student;
  }
  const Student* take(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto found = students_.find(name);
      if (name.empty() || found == students_.end()) continue;
      taken_.insert(found->first);
      return found->second;
    }
    return nullptr;
  }
  std::vector<std::string> missing(const ClassRecord& record) const {
    std::vector<std::string> names;
    for (const auto& [id, student] : students_) {
      if (!taken_.contains(id) && grade_of(record, *student).grading != nullptr) names.push_back(id);
    }
    return names;
  }

 private:
  std::map<std::string, const Student*> students_;
  std::set<std::string> taken_;
};

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
  for (const char* column :
       {"late_days", "late_penalty", "adjusted", "submitted_at", "status", "place", "note"})
    table.header.emplace_back(column);
  for (const Student* student : by_name(record)) {
    const Grade grade = grade_of(record, *student);
    // A student who could not be graded has no points yet, so the cell is empty and not zero.
    const bool counts = grade.grading != nullptr || grade.adjusted != 0;
    CsvRow row = {harmless_cell(student->id), harmless_cell(student->name),
                  counts ? human_points(grade.points) : "",
                  grade.grading != nullptr ? human_points(grade.max_points) : ""};
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
    table.rows.push_back(std::move(row));
  }
  return table;
}

Result<FilledTable> fill_canvas(const ClassRecord& record, const CsvTable& exported,
                                const std::string& assignment, const std::string& shown) {
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
  const auto at = static_cast<std::size_t>(column);
  std::vector<std::size_t> kept;
  std::vector<std::size_t> ids;
  for (const char* name : {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}) {
    const int found = exported.column(name);
    if (found < 0) continue;
    kept.push_back(static_cast<std::size_t>(found));
    if (std::string_view(name) != "Student" && std::string_view(name) != "Section")
      ids.push_back(kept.back());
  }
  if (ids.empty()) return Diagnostic{{shown, 0, 0}, msg::no_canvas_gradebook(), {}};
  kept.push_back(at);
  FilledTable filled;
  filled.table.byte_order_mark = exported.byte_order_mark;
  for (const std::size_t i : kept) filled.table.header.push_back(exported.header[i]);
  Roster roster(record);
  std::string possible;
  for (const CsvRow& row : exported.rows) {
    CsvRow out;
    for (const std::size_t i : kept) out.push_back(row[i]);
    if (row.front().find("Points Possible") != std::string::npos) possible = row[at];
    std::vector<std::string> names;
    for (const std::size_t i : ids) names.push_back(row[i]);
    if (const Student* student = roster.take(names)) {
      const Grade grade = grade_of(record, *student);
      if (grade.grading != nullptr) {
        if (auto fits = check_range(grade, possible, student->name, shown); !fits) return fits.problem();
        out.back() = human_points(grade.points);
        ++filled.filled;
      }
    }
    filled.table.rows.push_back(std::move(out));
  }
  filled.missing = roster.missing(record);
  return filled;
}

Result<FilledTable> fill_moodle(const ClassRecord& record, const CsvTable& worksheet,
                                const std::string& column, const std::string& shown) {
  const std::string name = column.empty() ? "Grade" : column;
  const int grades = worksheet.column(name);
  if (grades < 0) {
    return Diagnostic{{shown, 0, 0},
                      msg::no_such_column(name, suggestion(name, worksheet.header)),
                      msg::moodle_translates_headers()};
  }
  const auto at = static_cast<std::size_t>(grades);
  FilledTable filled;
  filled.table = worksheet;
  Roster roster(record);
  for (CsvRow& row : filled.table.rows) {
    std::vector<std::string> names = {number_at_end(row.front())};
    for (const std::string& cell : row) {
      if (cell.find('@') != std::string::npos) names.push_back(cell);
    }
    const Student* student = roster.take(names);
    filled.students.push_back(student == nullptr ? "" : student->id);
    if (student == nullptr) continue;
    const Grade grade = grade_of(record, *student);
    if (grade.grading == nullptr) continue;
    // The next cell holds the maximum.
    const std::string most = at + 1 < row.size() ? row[at + 1] : "";
    if (auto fits = check_range(grade, most, student->name, shown); !fits) return fits.problem();
    std::string_view digits = most;
    const double limit = take_leading_number<double>(digits).value_or(grade.points);
    if (grade.points > limit) filled.cut.push_back(student->id);  // Moodle leaves such a grade out
    row[at] = human_points(std::min(grade.points, limit));
    ++filled.filled;
  }
  filled.missing = roster.missing(record);
  return filled;
}

}  // namespace cudalabs
