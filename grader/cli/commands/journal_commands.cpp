// The commands that change or show a class's journal without grading: adjust, undo, gradebook, log.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/classroom/class_reports.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs::cli {
namespace {

constexpr std::size_t kMaxTable = 64 << 20;

std::string user_name() {
  const char* name = std::getenv("USER");
  return name != nullptr ? name : "";
}

/// Fills in a platform's table and writes it into the class's folder.
template <class Fill>
int fill(const ClassFolder& folder, const ClassRecord& record, const std::string& file, const char* name,
         Fill&& with) {
  auto text = read_file(file, kMaxTable);
  if (!text) return report_error(text.problem(), kUsage);
  auto table = parse_csv(*text, file);
  if (!table) return report_error(table.problem(), kUsage);
  auto filled = with(record, *table, file);
  if (!filled) return report_error(filled.problem(), kUsage);
  const auto target = folder.path() / name;
  if (auto written = write_file_atomically(target, csv_text(filled->table)); !written)
    return report_error(written.problem(), kCouldNotGrade);
  write_out(rendered(msg::grades_filled_in(target.string(), filled->filled)) + "\n");
  if (!filled->cut.empty())
    print_out("cut to the task's maximum, without the rest of a bonus: {}\n", fmt::join(filled->cut, ", "));
  if (!filled->missing.empty())
    print_out("without a row in {}: {}\n", file, fmt::join(filled->missing, ", "));
  return filled->missing.empty() ? kPassed : kLostPoints;
}

using Adjustments = std::map<std::string, Adjustment>;  // by student

/// Sets the points of a manual criterion. `where`: of a table.
Result<void> set_criterion(Adjustment& adjustment, const std::vector<OpenPoints>& manual,
                           const std::string& name, std::string_view text, const Location& where) {
  const auto known = std::ranges::find(manual, name, &OpenPoints::name);
  if (known == manual.end()) {
    std::vector<std::string> names;
    for (const OpenPoints& one : manual) names.push_back(one.name);
    return Diagnostic{
        where, msg::no_manual_criterion(name, suggestion(name, names)),
        names.empty() ? msg::lab_has_no_manual_criteria() : msg::possible_choices(listed(names))};
  }
  const auto points = parse_number<double>(text);
  if (!points || !(*points >= 0 && *points <= known->max_points))
    return Diagnostic{where, msg::not_points_of_criterion(name, text, known->max_points), {}};
  adjustment.criteria[name] = *points;
  return {};
}

/// What the command line gives to one student.
Result<Adjustments> adjustment_of(const ClassRecord& record, const std::string& student,
                                  const std::string& points, const std::vector<std::string>& criteria) {
  Adjustment adjustment;
  if (!points.empty() || criteria.empty()) {
    const auto value = parse_number<double>(std::string_view(points).substr(points.starts_with('+') ? 1 : 0));
    if (!value || !(*value >= -1e6 && *value <= 1e6)) return error(msg::not_points(points));
    adjustment.points = *value;
  }
  if (!record.students.contains(student)) return unknown_student(record, student);
  const std::vector<OpenPoints> manual = manual_criteria(record);
  for (const std::string& one : criteria) {
    const std::size_t sign = std::min(one.find('='), one.size());
    auto set = set_criterion(adjustment, manual, one.substr(0, sign),
                             std::string_view(one).substr(std::min(sign + 1, one.size())), {});
    if (!set) return set.problem();
  }
  return Adjustments{{student, std::move(adjustment)}};
}

/// Drops what a student has already: a table may be a gradebook in which a person changed a few cells.
void drop_unchanged(const ClassRecord& record, const std::string& student, Adjustment& adjustment) {
  for (const GivenPoints& given : grade_of(record, record.students.at(student)).given) {
    const auto again = adjustment.criteria.find(given.open.name);
    if (again != adjustment.criteria.end() && given.points == again->second) adjustment.criteria.erase(again);
  }
}

/// What a table gives to the students of a class. An empty cell leaves a criterion as it is.
Result<Adjustments> adjustments_in(const ClassRecord& record, const std::string& file) {
  const auto text = read_file(file, kMaxTable);
  if (!text) return text.problem();
  const auto table = parse_csv(*text, file);
  if (!table) return table.problem();
  const int column = table->column("student");
  if (column < 0)
    return Diagnostic{{file, 1, 0}, msg::no_such_column("student", suggestion("student", table->header)), {}};
  const std::vector<OpenPoints> manual = manual_criteria(record);
  const CsvRow known = gradebook(record).header;  // the table may be a gradebook
  const bool names_any = std::ranges::any_of(table->header, [&](const std::string& name) {
    return std::ranges::find(manual, name, &OpenPoints::name) != manual.end();
  });
  if (!names_any) {
    std::vector<std::string> names;
    for (const OpenPoints& one : manual) names.push_back(one.name);
    return Diagnostic{{file, 1, 0}, msg::no_column_of_a_criterion(), msg::possible_choices(listed(names))};
  }
  Adjustments all;
  std::map<std::string, int> lines;  // by student
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    const CsvRow& row = table->rows[r];
    const Location where{file, static_cast<int>(r) + 2, 0};
    const std::string student = utf8_name(row[static_cast<std::size_t>(column)]);
    if (!record.students.contains(student)) {
      Diagnostic unknown = unknown_student(record, student);
      unknown.where = where;
      return unknown;
    }
    const auto [first, is_new] = lines.try_emplace(student, where.line);
    if (!is_new)
      return Diagnostic{where, msg::stands_twice("student", student),
                        msg::first_given_on_line(first->second)};
    Adjustment adjustment;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string& name = table->header[c];
      const bool other = std::ranges::find(manual, name, &OpenPoints::name) == manual.end() &&
                         std::ranges::find(known, name) != known.end();
      if (other || row[c].empty()) continue;
      if (auto set = set_criterion(adjustment, manual, name, row[c], where); !set) return set.problem();
    }
    drop_unchanged(record, student, adjustment);
    if (!adjustment.criteria.empty()) all[student] = std::move(adjustment);
  }
  return all;
}

}  // namespace

int adjust_command(const Arguments& arguments) {
  std::string out, student, points, file, author = user_name(), reason;
  std::vector<std::string> criteria;
  CommandLine line("grader adjust",
                   "grader adjust FOLDER STUDENT POINTS --reason TEXT [OPTIONS]\n"
                   "grader adjust FOLDER STUDENT --criterion NAME=POINTS --reason TEXT [OPTIONS]\n"
                   "grader adjust FOLDER --criteria FILE --reason TEXT [OPTIONS]",
                   "Adds points by hand, or subtracts them, or fills in the criteria that a person judges.\n"
                   "A regrade keeps all of it.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.positional("STUDENT", student, "As in gradebook.csv");
  line.positional("POINTS", points, "For example 5, or -2.5");
  line.repeated("--criterion", "NAME=POINTS", criteria, "The points of a manual criterion, as style=8");
  line.option("--criteria", "FILE", file, "A table: a column `student`, and one for each criterion");
  line.option("--reason", "TEXT", reason, "The reason; the journal keeps it");
  line.option("--author", "NAME", author, "Who does it [you]");
  if (auto status = line.parse(arguments)) return *status;
  if (reason.empty() || author.empty()) {
    return report_error(
        error(reason.empty() ? msg::adjustment_needs_reason() : msg::adjustment_needs_author(),
              msg::for_example("grader adjust lab3 4711 5 --reason \"oral exam\" --author Smith")),
        kUsage);
  }
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  auto adjustments = file.empty() ? adjustment_of(*record, utf8_name(student), points, criteria)
                                  : adjustments_in(*record, file);
  if (!adjustments) return report_error(adjustments.problem(), kUsage);
  std::map<std::string, std::string> bodies;
  for (auto& [id, adjustment] : *adjustments) {
    adjustment.author = author;
    adjustment.reason = reason;
    bodies[id] = body_of(adjustment);
  }
  if (auto written = (*folder)->journal().append_all(event::kAdjusted, bodies); !written)
    return report_error(written.problem(), kCouldNotGrade);
  for (const auto& [id, adjustment] : *adjustments) {
    const auto event = (*folder)->journal().last(event::kAdjusted, id);
    if (!event || !*event) continue;
    if (adjustment.points != 0) print_out("event {}: {} {:+g} points\n", (*event)->id, id, adjustment.points);
    for (const auto& [name, given] : adjustment.criteria)
      print_out("event {}: {} {}={:g}\n", (*event)->id, id, name, given);
  }
  return finish_class(**folder);
}

int undo_command(const Arguments& arguments) {
  std::string out, number;
  CommandLine line("grader undo", "grader undo FOLDER EVENT",
                   "Cancels a grading or an adjustment; cancelled twice, it counts again.\n"
                   "`grader log FOLDER` shows the events' numbers.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.positional("EVENT", number, "Its number");
  if (auto status = line.parse(arguments)) return *status;
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  const std::int64_t event = parse_number<std::int64_t>(number).value_or(0);
  if (!can_be_undone(*record, event)) {
    return report_error(error(msg::cannot_be_undone(number), msg::log_shows_events(out)), kUsage);
  }
  auto written = (*folder)->journal().append(event::kUndone, "", undone_body(event));
  if (!written) return report_error(written.problem(), kCouldNotGrade);
  return finish_class(**folder);
}

int gradebook_command(const Arguments& arguments) {
  std::string out, canvas, assignment, moodle, column;
  RuleOptions rules;
  CommandLine line(
      "grader gradebook", "grader gradebook FOLDER [OPTIONS]",
      "Writes a class's reports again from its journal, with other rules if you like, and fills in the\n"
      "tables of Canvas and Moodle.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.option("--late", "FILE", rules.late, "A rule for lateness, from now on (docs/batch.md)");
  line.flag("--keep-highest", rules.highest, "From now on a student's best grading counts");
  line.flag("--keep-last", rules.last, "From now on the last grading counts, as at first");
  add_names_option(line, rules);
  line.option("--canvas", "FILE", canvas, "Fill in a gradebook that Canvas exported");
  line.option("--assignment", "TITLE", assignment, "Its column for this lab");
  line.option("--moodle", "FILE", moodle, "Fill in a grading worksheet of Moodle");
  line.option("--grade-column", "NAME", column, "The name of its column of grades [Grade]");
  if (auto status = line.parse(arguments)) return *status;
  if (rules.highest && rules.last)
    return report_error(error(msg::keep_highest_or_last(), msg::give_one_of_two()), kUsage);
  if (!canvas.empty() && assignment.empty())
    return report_error(error(msg::canvas_needs_assignment(), msg::assignment_is_column()), kUsage);
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  if (auto swept = sweep(**folder); !swept) return report_error(swept.problem(), kCouldNotGrade);
  if (auto kept = keep_rules(**folder, rules); !kept) return report_error(kept.problem(), kUsage);
  int status = finish_class(**folder);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  if (!canvas.empty()) {
    status =
        std::max(status, fill(**folder, *record, canvas, "canvas.csv",
                              [&](const ClassRecord& all, const CsvTable& table, const std::string& shown) {
                                return fill_canvas(all, table, assignment, shown);
                              }));
  }
  if (!moodle.empty()) {
    status =
        std::max(status, fill(**folder, *record, moodle, "moodle.csv",
                              [&](const ClassRecord& all, const CsvTable& table, const std::string& shown) {
                                return fill_moodle(all, table, column, shown);
                              }));
  }
  return status;
}

int log_command(const Arguments& arguments) {
  std::string out, student;
  CommandLine line("grader log", "grader log FOLDER [--student ID]",
                   "Shows what happened in a class, event by event.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.option("--student", "ID", student, "Only the events of this student");
  if (auto status = line.parse(arguments)) return *status;
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  student = utf8_name(student);
  auto lines = journal_lines(**folder, student);
  if (!lines) return report_error(lines.problem(), kCouldNotGrade);
  if (lines->empty() && !student.empty()) {
    const auto record = read_record((*folder)->journal());
    if (!record) return report_error(record.problem(), kCouldNotGrade);
    Diagnostic unknown = unknown_student(*record, student);
    unknown.where.file = out;
    return report_error(unknown, kUsage);
  }
  for (const std::string& one : *lines) print_out("{}\n", one);
  return kPassed;
}

}  // namespace cudalabs::cli
