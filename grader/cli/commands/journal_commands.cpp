// The commands that change or show a class's journal without grading: adjust, withdraw, undo, gradebook, log.

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
constexpr double kMaxPoints = 1e6;

std::string user_name() {
  const char* name = std::getenv("USER");
  return name != nullptr ? name : "";
}

/// Who decides about points, and why. The journal keeps both.
struct Decision {
  std::string author = user_name(), reason;

  void add_options(CommandLine& line) {
    line.option("--reason", "TEXT", reason, "The reason; the journal keeps it");
    line.option("--author", "NAME", author, "Who does it [you]");
  }
  [[nodiscard]] Result<void> check(const char* example) const {
    if (reason.empty()) return error(msg::adjustment_needs_reason(), msg::for_example(example));
    if (author.empty()) return error(msg::adjustment_needs_author(), msg::for_example(example));
    return {};
  }
};

/// The number of points that a person typed.
Result<double> points_in(const std::string& text, double at_least) {
  const auto value = parse_number<double>(std::string_view(text).substr(text.starts_with('+') ? 1 : 0));
  if (!value || !(*value >= at_least && *value <= kMaxPoints)) return error(msg::not_points(text));
  return *value;
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
    const auto value = points_in(points, -kMaxPoints);
    if (!value) return value.problem();
    adjustment.points = *value;
  }
  if (!record.students.contains(student)) {
    Diagnostic unknown = unknown_student(record, student);
    unknown.hint.add(msg::new_adds_a_row());
    return unknown;
  }
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

/// Gives a row to a student who handed in nothing.
Result<void> add_student(Journal& journal, const ClassRecord& record, const std::string& student,
                         const std::string& name) {
  if (student.empty()) return error(msg::student_without_id());
  if (record.students.contains(student)) return error(msg::student_is_known(student));
  HandIn none;
  none.student = student;
  none.name = utf8_name(name);
  none.problem = msg::nothing_handed_in();
  auto written = journal.append(event::kHandedIn, student, body_of(none, ""));
  if (!written) return written.problem();
  return {};
}

/// Appends what was decided, and prints the events' numbers.
int record_decisions(ClassFolder& folder, std::string_view kind, Adjustments& adjustments,
                     const Decision& decision) {
  std::map<std::string, std::string> bodies;
  for (auto& [id, adjustment] : adjustments) {
    adjustment.author = decision.author;
    adjustment.reason = decision.reason;
    bodies[id] = body_of(adjustment);
  }
  if (auto written = folder.journal().append_all(kind, bodies); !written)
    return report_error(written.problem(), kCouldNotGrade);
  for (const auto& [id, adjustment] : adjustments) {
    const auto event = folder.journal().last(kind, id);
    if (!event || !*event) continue;
    if (kind == event::kWithdrawn)
      print_out("event {}: {} is withdrawn, with {:g} points\n", (*event)->id, id, adjustment.points);
    else if (adjustment.points != 0 || adjustment.criteria.empty())
      print_out("event {}: {} {:+g} points\n", (*event)->id, id, adjustment.points);
    for (const auto& [name, given] : adjustment.criteria)
      print_out("event {}: {} {}={:g}\n", (*event)->id, id, name, given);
  }
  return finish_class(folder);
}

}  // namespace

int adjust_command(const Arguments& arguments) {
  std::string out, student, points, file, new_name;
  std::vector<std::string> criteria;
  Decision decision;
  CommandLine line("grader adjust",
                   "grader adjust FOLDER STUDENT POINTS --reason TEXT [OPTIONS]\n"
                   "grader adjust FOLDER STUDENT --criterion NAME=POINTS --reason TEXT [OPTIONS]\n"
                   "grader adjust FOLDER --criteria FILE --reason TEXT [OPTIONS]",
                   "Adds points by hand, or subtracts them, or fills in the criteria that a person judges.\n"
                   "A regrade keeps all of it. A student without a grading then has these points.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.positional("STUDENT", student, "As in gradebook.csv");
  line.positional("POINTS", points, "For example 5, or -2.5");
  line.repeated("--criterion", "NAME=POINTS", criteria, "The points of a manual criterion, as style=8");
  line.option("--criteria", "FILE", file, "A table: a column `student`, and one for each criterion");
  line.option("--new", "NAME", new_name,
              "The student handed in nothing and is not in the class yet: add a row with this name");
  decision.add_options(line);
  if (auto status = line.parse(arguments)) return *status;
  auto sound = decision.check("grader adjust lab3 4711 5 --reason \"oral exam\" --author Smith");
  if (!sound) return report_error(sound.problem(), kUsage);
  if (line.given("--new") && (!file.empty() || new_name.empty()))
    return report_error(
        error(msg::new_needs_one_student(),
              msg::for_example("grader adjust lab3 4799 20 --new \"Jo Smith\" --reason oral")),
        kUsage);
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  student = utf8_name(student);
  ClassRecord with_new = *record;
  if (!new_name.empty()) with_new.students[student].id = student;
  auto adjustments =
      file.empty() ? adjustment_of(with_new, student, points, criteria) : adjustments_in(*record, file);
  if (!adjustments) return report_error(adjustments.problem(), kUsage);
  if (!new_name.empty()) {
    if (auto added = add_student((*folder)->journal(), *record, student, new_name); !added)
      return report_error(added.problem(), kUsage);
  }
  return record_decisions(**folder, event::kAdjusted, *adjustments, decision);
}

int withdraw_command(const Arguments& arguments) {
  std::string out, points = "0";
  std::vector<std::string> students;
  Decision decision;
  CommandLine line(
      "grader withdraw", "grader withdraw FOLDER STUDENTS... --reason TEXT [OPTIONS]",
      "Takes work out of the class that was found to be cheating later. The students keep their\n"
      "row, the gradings and the files, lose their place, and have the points that you say.\n"
      "`grader undo FOLDER EVENT` takes it back.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.positionals("STUDENTS", students, "As in gradebook.csv");
  line.option("--points", "N", points, "The points that remain [0]");
  decision.add_options(line);
  if (auto status = line.parse(arguments)) return *status;
  const char* const example = "grader withdraw lab3 4711 4712 --reason \"one solution\" --author Smith";
  if (out.empty() || students.empty())
    return report_error(error(msg::withdraw_needs_arguments(), msg::for_example(example)), kUsage);
  if (auto sound = decision.check(example); !sound) return report_error(sound.problem(), kUsage);
  const auto remaining = points_in(points, 0);
  if (!remaining) return report_error(remaining.problem(), kUsage);
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  Adjustments withdrawals;
  for (const std::string& word : students) {
    const std::string student = utf8_name(word);
    if (!record->students.contains(student)) return report_error(unknown_student(*record, student), kUsage);
    withdrawals[student].points = *remaining;
  }
  return record_decisions(**folder, event::kWithdrawn, withdrawals, decision);
}

int undo_command(const Arguments& arguments) {
  std::string out, number;
  CommandLine line("grader undo", "grader undo FOLDER EVENT",
                   "Cancels a grading, an adjustment or a withdrawal; cancelled twice, it counts again.\n"
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
  if (!canvas.empty())
    status = std::max(status, fill_table(canvas, (*folder)->path() / "canvas.csv",
                                         grade_sheet(*record, assignment), fill_canvas));
  if (!moodle.empty()) {
    const auto worksheet = [](const GradeSheet& sheet, const CsvTable& table, const std::string& shown) {
      return fill_moodle(sheet, table, MoodleTable::Worksheet, shown);
    };
    status = std::max(status, fill_table(moodle, (*folder)->path() / "moodle.csv",
                                         grade_sheet(*record, column), worksheet));
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
