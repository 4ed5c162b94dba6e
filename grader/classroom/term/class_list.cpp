#include "grader/classroom/term/class_list.h"

#include <algorithm>
#include <optional>

#include "grader/base/text.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

/// The separator that the header has most of.
char separator_of(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  return std::ranges::max({',', ';', '\t'}, {}, [&](char c) { return std::ranges::count(header, c); });
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// Adds a student's id. Error: another student has it.
Result<void> add_id(ClassList& list, std::size_t position, const std::string& id) {
  const int line = list.students[position].line;
  const auto [known, is_new] = list.by_id.emplace(id, position);
  if (!is_new && known->second != position)
    return Diagnostic{{list.shown, line, 0},
                      msg::stands_twice("student", id),
                      msg::first_given_on_line(list.students[known->second].line)};
  if (is_new) list.students[position].ids.push_back(id);
  return {};
}

}  // namespace

Result<ClassList> parse_class_list(std::string_view text, const ClassColumns& columns,
                                   const std::string& shown) {
  if (first_invalid_utf8(text))
    return Diagnostic{{shown, 0, 0}, msg::table_not_utf8(), msg::save_table_as_utf8()};
  auto table = parse_csv(text, shown, separator_of(text));
  if (!table) return table.problem();
  for (std::string& name : table->header) name = trimmed(name);
  ClassList list;
  list.shown = shown;
  list.header = table->header;
  const auto column = [&](const std::string& name) -> Result<std::size_t> {
    const int found = table->column(name);
    if (found >= 0) return static_cast<std::size_t>(found);
    return Diagnostic{
        {shown, 1, 0}, msg::no_such_column(name, suggestion(name, table->header)), msg::class_list_columns()};
  };
  const auto id = column(columns.student);
  if (!id) return id.problem();
  const int name = table->column(columns.name);
  std::vector<std::size_t> others;
  for (const std::string& one : columns.ids) {
    const auto other = column(one);
    if (!other) return other.problem();
    others.push_back(*other);
  }
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    CsvRow& row = table->rows[r];
    ListedStudent student;
    student.line = table->lines[r];
    student.id = utf8_name(trimmed(row[*id]));
    if (name >= 0) student.name = utf8_name(trimmed(row[static_cast<std::size_t>(name)]));
    if (student.id.empty()) {
      const auto possible = [](const std::string& cell) { return trimmed(cell) == "Points Possible"; };
      if (std::ranges::any_of(row, possible)) continue;
      return Diagnostic{{shown, student.line, 0}, msg::listed_without_id(columns.student), {}};
    }
    student.cells = std::move(row);
    list.students.push_back(std::move(student));
    const std::size_t position = list.students.size() - 1;
    if (list.by_id.contains(list.students[position].id)) {
      const int first = list.students[list.by_id[list.students[position].id]].line;
      return Diagnostic{{shown, list.students[position].line, 0},
                        msg::stands_twice("student", list.students[position].id),
                        msg::first_given_on_line(first)};
    }
    if (auto added = add_id(list, position, list.students[position].id); !added) return added.problem();
    for (const std::size_t other : others) {
      const std::string also = utf8_name(trimmed(list.students[position].cells[other]));
      if (also.empty()) continue;
      if (auto added = add_id(list, position, also); !added) return added.problem();
    }
  }
  if (list.students.empty()) return Diagnostic{{shown, 0, 0}, msg::class_list_empty(), {}};
  return list;
}

}  // namespace cudalabs
