#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/own_words.h"

namespace cudalabs::cli {
namespace {

struct Selection {
  std::vector<std::string> students, versions;
  bool failed = false, all = false, changed = false, again = false;

  [[nodiscard]] bool none() const { return students.empty() && !failed && !all && !changed; }
  [[nodiscard]] std::string words() const {
    std::string text = "regrade:";
    if (all) text += " all";
    if (failed) text += " those that failed";
    if (changed) text += " those graded before the lab changed";
    if (!students.empty()) text += fmt::format(" {}", fmt::join(students, ", "));
    if (!versions.empty()) text += fmt::format(" ({})", fmt::join(versions, ", "));
    return text;
  }
};

bool failed(const Grade& grade) {
  return grade.grading == nullptr ||
         std::ranges::any_of(grade.grading->versions,
                             [](const VersionScore& version) { return version.verdict != "accepted"; });
}

/// The sources of a selection, without duplicates.
Result<std::vector<std::string>> selected(const ClassRecord& record, const Selection& selection,
                                          const std::string& key) {
  for (const std::string& student : selection.students) {
    if (!record.students.contains(student)) return unknown_student(record, student);
  }
  std::vector<std::string> sources;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    const std::string& source = grade.handed->source;
    if (source.empty()) continue;
    const RunRecord* run = grade.grading == nullptr ? nullptr : record.run(grade.grading->run);
    const bool named = std::ranges::find(selection.students, id) != selection.students.end();
    const bool wanted = selection.all || named || (selection.failed && failed(grade)) ||
                        (selection.changed && (run == nullptr || run->lab_key != key));
    if (wanted && std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

/// Prints the changes of the regrade for each student.
void print_changes(ClassFolder& folder, std::int64_t before) {
  const auto record = read_record(folder.journal());
  if (!record) return;
  for (const auto& [id, student] : record->students) {
    const Grade then = grade_of(*record, student, before), now = grade_of(*record, student);
    if (now.grading == nullptr || now.grading == then.grading) continue;
    const std::string old = then.grading == nullptr ? tr("not graded") : human_points(then.points);
    print_out("{}  {} -> {}  (event {})\n", id, old, human_points(now.points), now.grading->event);
  }
}

}  // namespace

int regrade_command(const Arguments& arguments) {
  std::string out;
  Selection selection;
  WorkOptions options;
  CommandLine line("grader regrade", "grader regrade FOLDER [WHO] [OPTIONS]",
                   "Grades submissions of a batch again. The journal keeps the old points, and\n"
                   "`grader undo FOLDER EVENT` brings them back.");
  line.positional("FOLDER", out, "The folder of `grader batch --out`");
  line.repeated("--student", "ID", selection.students, "Grade this student; may be repeated");
  line.flag("--failed", selection.failed,
            "Grade all submissions with a version that is not accepted, or without a grading");
  line.flag("--changed", selection.changed,
            "Grade all submissions that were graded before the lab, the compiler or the grader changed");
  line.flag("--all", selection.all, "Everybody");
  line.flag("--again", selection.again,
            "Compile and run unchanged submissions again; without it --all and --changed reuse their stored "
            "results");
  line.repeated("--version", "NAME", selection.versions, "This version only; the others keep their points");
  add_work_options(line, options);
  if (auto status = line.parse(arguments)) return *status;
  const PrintedStats stats(options.stats);
  if (out.empty() || selection.none()) {
    return report_error(
        error(msg::regrade_needs_arguments(),
              {msg::for_example("grader regrade lab3 --student 4711"), msg::or_failed_changed_all()}),
        kUsage);
  }
  for (std::string& student : selection.students) student = utf8_name(student);
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  if (auto swept = sweep(**folder); !swept) return report_error(swept.problem(), kCouldNotGrade);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  if (record->runs.empty()) return report_error(error(msg::no_grading_yet(out)), kUsage);
  const RunRecord& last = record->runs.back();
  // Defaults to the settings of the last run.
  if (options.compiler.empty()) options.compiler = last.compiler;
  if (options.course.empty()) options.course = last.course;
  if (options.profile.empty()) options.profile = last.profile;
  if (!line.given("--device")) options.device = last.device;
  auto work = prepare_work(line, options, last.lab, last.variant);
  if (!work) return report_error(work.problem(), kUsage);
  const Rewording words(work->lab.own_words);
  for (const std::string& name : selection.versions) {
    if (work->lab.find_version(name) == nullptr)
      return report_error(error(msg::lab_has_no_version(work->lab.slug, name)), kUsage);
  }
  work->order.versions = selection.versions;
  // A user who names a student or asks for failed submissions doubts the cached results.
  work->order.run_again = selection.again || selection.failed || !selection.students.empty();
  auto key = lab_key(work->course, work->lab, work->order);
  if (!key) return report_error(key.problem(), kCouldNotGrade);
  auto sources = selected(*record, selection, *key);
  if (!sources) return report_error(sources.problem(), kUsage);
  log_progress(msg::to_regrade(sources->size()));
  const std::int64_t before = record->last_event;
  const Interrupt interrupt;
  const int status = sources->empty()
                         ? finish_class(**folder)
                         : grade_class(**folder, *work, *sources, selection.words(), interrupt.flag());
  print_changes(**folder, before);
  return status;
}

}  // namespace cudalabs::cli
