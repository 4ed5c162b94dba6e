#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/file_tree.h"
#include "grader/classroom/intake/find_submission.h"
#include "grader/classroom/intake/layouts.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/course/course.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/own_words.h"

namespace cudalabs::cli {
namespace {

const char* const kBatchFooter =
    R"(SOURCES are folders, .zip and .tar archives, .cu files and notebooks: unchanged downloads from Canvas, Moodle,
Gradescope or Classroom 50, a folder with one folder or file a student, or single submissions. Moodle's grading
worksheet (.csv) after them gives the times.

FOLDER/journal.sqlite records everything that happens. Repeat the command to continue where it was stopped, and
to add new submissions.

Examples:
  grader batch lab3 variant4 submissions.zip --out lab3      grade a class
  grader regrade lab3 --student 4711                         grade one student again
  grader gradebook lab3 --late rule.yaml                     compute the points again, with a rule for lateness
)";

/// Maximum number of names in one line.
constexpr std::size_t kMaxListed = 8;

/// `reason`: a row for names that were left out; `unnamed`: number of further entries beside `names`.
Message left_out_note(const auto& reason, std::vector<std::string> names, std::size_t unnamed = 0) {
  const std::size_t listed_here = std::min(names.size(), kMaxListed);
  const std::size_t more = names.size() - listed_here + unnamed;
  names.resize(listed_here);
  return reason(listed(names), more);
}

struct Sources {
  std::vector<HandIn> hand_ins;
  std::vector<std::string> alone;  ///< for each: its source's name, if that has no other; otherwise empty
  std::vector<Message> left_out;   ///< a line for each reason
};

/// Takes the times of a table, which belong to the submissions before it.
Result<void> take_times(const std::string& source, const FileTree& table, Sources& all) {
  const std::size_t count = add_times(all.hand_ins, table.files.front().content);
  if (count == 0) return Diagnostic{{source, 0, 0}, msg::no_times_in_table(), msg::what_has_times()};
  log_progress(msg::times_read(source, count));
  return {};
}

/// A source that is one submission may have an id from a folder in it, such as "project" of ann.zip and
/// bob.zip. Where such ids meet, the sources' names replace them.
void tell_sources_apart(Sources& all) {
  std::map<std::string, std::set<std::string>> uses;
  for (std::size_t i = 0; i < all.hand_ins.size(); ++i)
    if (!all.alone[i].empty()) uses[all.hand_ins[i].student].insert(all.alone[i]);
  for (std::size_t i = 0; i < all.hand_ins.size(); ++i) {
    HandIn& one = all.hand_ins[i];
    if (all.alone[i].empty() || uses[one.student].size() < 2) continue;
    one.student = one.name = all.alone[i];
  }
}

/// Reports notes, and students whom an earlier source has, too.
void report_notes(const Sources& all) {
  std::map<std::string, const HandIn*> before;
  for (const HandIn& one : all.hand_ins) {
    const auto [earlier, is_first] = before.emplace(one.student, &one);
    if (!is_first) log_progress(msg::again_from_source(one.student, earlier->second->place));
    earlier->second = &one;
    if (!one.note.empty()) log_progress(msg::student_note(one.student, one.note));
  }
}

/// The submissions in the command line's sources, and the entries that were left out.
Result<Sources> read_sources(const Work& work, const std::vector<std::string>& sources) {
  const std::vector<std::string> slugs = slugs_of(work.course);
  const logging::Timed timed(logging::Metric::Intake);
  Sources all;
  for (const std::string& source : sources) {
    auto tree = read_tree(source);
    if (!tree) return tree.problem();
    if (tree->single_file && tree->files.front().path.ends_with(kTableEnding)) {
      if (auto taken = take_times(source, *tree, all); !taken) return taken.problem();
      continue;
    }
    ClassSources handed = hand_ins_of(work.lab, slugs, *tree);
    if (!handed.hand_ins.empty())
      log_progress(msg::source_read(source, handed.hand_ins.size(), handed.layout));
    const std::size_t told = all.left_out.size();
    if (!handed.left_out.empty()) {
      all.left_out.push_back(left_out_note(msg::hidden_left_out, std::move(handed.left_out)));
    }
    if (!handed.beside.empty())
      all.left_out.push_back(left_out_note(msg::beside_left_out, std::move(handed.beside)));
    if (!tree->left_out.names.empty()) {
      all.left_out.push_back(
          left_out_note(msg::unsafe_left_out, std::move(tree->left_out.names), tree->left_out.more));
    }
    for (std::size_t i = told; i < all.left_out.size(); ++i) log_progress(all.left_out[i]);
    if (handed.hand_ins.empty()) {
      return Diagnostic{{source, 0, 0},
                        msg::no_submission_in_source(work.lab.slug),
                        msg::students_file_name(work.lab.file)};
    }
    const bool alone = handed.hand_ins.size() == 1 && !handed.of_service;
    for (HandIn& one : handed.hand_ins) {
      all.alone.push_back(alone ? utf8_name(tree->name) : std::string());
      all.hand_ins.push_back(std::move(one));
    }
  }
  tell_sources_apart(all);
  report_notes(all);
  return all;
}

}  // namespace

int batch_command(const Arguments& arguments) {
  std::string lab, variant, out;
  std::vector<std::string> sources;
  RuleOptions rules;
  WorkOptions options;
  CommandLine line("grader batch", "grader batch LAB VARIANT SOURCES... --out FOLDER [OPTIONS]",
                   "Grades a class: one row a student, identical submissions once.");
  line.footer(kBatchFooter);
  line.positional("LAB", lab, "The lab, for example lab3");
  line.positional("VARIANT", variant, "Its variant, for example variant4");
  line.positionals("SOURCES", sources, "What was handed in");
  line.option("--out", "FOLDER", out, "Folder for the journal, the gradebook and the results");
  line.option("--late", "FILE", rules.late, "A rule for lateness (docs/batch.md)");
  line.flag("--keep-highest", rules.highest, "The best grading of a student counts, not the last");
  add_names_option(line, rules);
  add_work_options(line, options);
  if (auto status = line.parse(arguments)) return *status;
  const PrintedStats stats(options.stats);
  if (lab.empty() || variant.empty() || sources.empty() || out.empty()) {
    return report_error(error(msg::batch_needs_arguments(),
                              msg::for_example("grader batch lab3 variant4 submissions.zip --out lab3")),
                        kUsage);
  }
  auto work = prepare_work(line, options, lab, variant);
  if (!work) return report_error(work.problem(), kUsage);
  const Rewording words(work->lab.own_words);
  auto handed = read_sources(*work, sources);
  if (!handed) return report_error(handed.problem(), kUsage);
  auto folder = ClassFolder::open(out, ClassFolder::Make::IfMissing);
  if (!folder) return report_error(folder.problem(), kUsage);
  if (auto swept = sweep(**folder); !swept) return report_error(swept.problem(), kCouldNotGrade);
  auto before = read_record((*folder)->journal());
  if (!before) return report_error(before.problem(), kCouldNotGrade);
  if (!before->runs.empty() && (before->runs.back().lab != lab || before->runs.back().variant != variant)) {
    return report_error(
        error(msg::other_batch_here(out, before->runs.back().lab, before->runs.back().variant),
              msg::name_another_out()),
        kUsage);
  }
  if (auto kept = keep_rules(**folder, rules); !kept) return report_error(kept.problem(), kUsage);
  // The journal keeps no seed before the first run, and the policy is all that counts here.
  const auto seed = seed_of_class(*before, *work);
  if (!seed) return report_error(seed.problem(), kCouldNotGrade);
  auto news = take_in(**folder, handed->hand_ins, has_own_seeds(*seed));
  if (!news) return report_error(news.problem(), kCouldNotGrade);
  auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  const std::vector<std::string> todo = ungraded(*record);
  log_progress(msg::to_grade(todo.size(), *news));
  const Interrupt interrupt;
  if (todo.empty()) return finish_class(**folder);
  const int status = grade_class(**folder, *work, todo,
                                 before->runs.empty() ? "first grading" : "new hand-ins", interrupt.flag());
  for (const Message& line_again : handed->left_out)
    log_progress(line_again);  // the first messages have scrolled away
  return status;
}

}  // namespace cudalabs::cli
