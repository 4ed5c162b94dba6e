#include "grader/cli/commands/class_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/process/sandbox.h"
#include "grader/base/text.h"
#include "grader/classroom/conditions.h"
#include "grader/classroom/reports/class_files.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/grade.h"
#include "grader/present/csv.h"

namespace cudalabs::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxRuleBytes = 1 << 20;
constexpr std::size_t kMaxTableBytes = 64 << 20;

/// Formats the remaining time roughly: "4 min", "50 s".
std::string about(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Progress: on a terminal one line that is redrawn, elsewhere one line for each grading.
class ProgressLine {
 public:
  explicit ProgressLine(const ClassRecord& record) : terminal_(::isatty(STDERR_FILENO) == 1) {
    for (const auto& [id, student] : record.students) {
      std::string& who = owners_[student.hand_ins.back().source];
      who += (who.empty() ? "" : ", ") + id;
    }
  }
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const BatchProgress& progress) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rate = static_cast<double>(progress.done) / std::max(seconds, 0.001);
    const double left = static_cast<double>(progress.total - progress.done) / std::max(rate, 1e-9);
    const std::string how_far = fmt::format("{}/{}", progress.done, progress.total);
    if (terminal_) {
      print_err("\r\033[K");
      print_err("{} graded, {:.0f} a minute, {} left{}", how_far, rate * 60, about(left),
                progress.failed > 0 ? tr(", {} could not be graded", progress.failed) : "");
      return;
    }
    const std::string& students = owners_[progress.source];
    log_progress(progress.failure.empty() ? msg::grading_progress(progress.done, progress.total, students,
                                                                  progress.points, progress.max_points)
                                          : msg::grading_progress_failed(progress.done, progress.total,
                                                                         students, progress.failure));
  }

  void clear() const {
    if (terminal_) print_err("\r\033[K");
  }

 private:
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  std::map<std::string, std::string> owners_;
};

/// Parses a count; returns `otherwise` if there is none.
Result<unsigned> parse_count(const char* option, const std::string& text, unsigned otherwise) {
  if (text.empty()) return otherwise;
  constexpr unsigned kMost = 1024;
  const auto count = parse_number<unsigned>(text);
  if (!count || *count < 1 || *count > kMost)
    return error(msg::not_a_number_in_range(option, 1, kMost, text));
  return *count;
}

Result<void> read_executor(const CommandLine& line, const WorkOptions& options, Work& work) {
  work.on_slurm = options.executor == "slurm";
  if (!work.on_slurm && options.executor != "local")
    return error(msg::no_such_executor(options.executor), msg::known_executors());
  const auto other = line.first_given({"--partition", "--gres", "--time", "--per-task"});
  if (!work.on_slurm && other) return error(msg::option_of_slurm(*other));
  auto jobs = parse_count("--jobs", options.jobs,
                          work.on_slurm ? 0 : std::max(1u, std::thread::hardware_concurrency()));
  if (!jobs) return jobs.problem();
  auto per_task = parse_count("--per-task", options.per_task, SlurmOptions().per_task);
  if (!per_task) return per_task.problem();
  work.jobs = *jobs;
  work.slurm = {options.partition, options.gres, options.time, *jobs, *per_task, SlurmOptions().poll_seconds};
  return {};
}

/// "compile_error", if all versions have the same verdict.
std::string only_verdict(const Grading& grading) {
  const auto& versions = grading.versions;
  const auto same = [&](const VersionScore& one) { return one.verdict == versions.front().verdict; };
  return versions.empty() || !std::ranges::all_of(versions, same) ? "" : versions.front().verdict;
}

/// This many equal failures are probably caused by the machine or the lab and not by the students.
constexpr std::size_t kSuspicious = 3;

/// A class that an earlier grader graded has no key for pseudonyms.
Result<void> keep_pseudonym_key(ClassFolder& folder, ClassRecord& record) {
  if (!record.pseudonym_key.empty()) return {};
  const auto key = fresh_seed();
  if (!key) return key.problem();
  record.pseudonym_key = std::to_string(*key);
  auto written = folder.journal().append(event::kRules, "", pseudonym_key_body(record.pseudonym_key));
  if (!written) return written.problem();
  return {};
}

void print_suspicion(std::size_t graded, const std::string& verdict, const std::string& example) {
  if (graded < kSuspicious) return;
  if (verdict == spelling(Verdict::CompileError))
    print_out("\n{}\n",
              tr("none of {} submissions compiles: look at {} and at the compiler before you publish", graded,
                 example));
  if (verdict == spelling(Verdict::Missing))
    print_out("\n{}\n",
              tr("none of {} submissions defines the functions of this lab: look at {}; is it the right lab?",
                 graded, example));
  if (verdict == spelling(Verdict::Timeout))
    print_out("\n{}\n",
              tr("all of {} submissions take too long: look at {} and at this machine before you publish",
                 graded, example));
}

}  // namespace

void add_work_options(CommandLine& line, WorkOptions& options) {
  line.option("--jobs", "N", options.jobs,
              "Number of gradings at a time [one per processor; with slurm no limit]; a GPU takes one");
  line.option("--executor", "local|slurm", options.executor,
              "Where to grade: on this machine, or in a cluster's job array [local]");
  line.option("--partition", "NAME", options.partition, "With slurm: sbatch's --partition");
  line.option("--gres", "LIST", options.gres, "With slurm: sbatch's --gres, for example gpu:1");
  line.option("--time", "TIME", options.time, "With slurm: sbatch's --time, of one task");
  line.option("--per-task", "N", options.per_task, "With slurm: submissions per task [10]");
  add_device_option(line, options.device);
  add_compiler_option(line, options.compiler);
  add_engine_option(line, options.engine);
  line.option("--seed", "N", options.seed,
              "The seed of the inputs, the same for all [fresh and secret; kept for the class]");
  line.flag("--require-sandbox", options.require_sandbox, "Grade only where bubblewrap works");
  add_profile_option(line, options.profile);
  add_course_option(line, options.course);
  add_stats_option(line, options.stats);
}

Result<Work> prepare_work(const CommandLine& line, const WorkOptions& options, const std::string& lab,
                          const std::string& variant) {
  auto course = find_course(options.course, lab);
  if (!course) return course.problem();
  auto loaded = load_lab(*course, lab, variant);
  if (!loaded) return loaded.problem();
  const auto profile = load_device_profile(*course, options.profile);
  if (!profile) return profile.problem();
  const std::string compiler_name = compiler_of(*course, options.compiler);
  const auto device = chosen_device(options.device, line.given("--device-profile"));
  if (!device) return device.problem();
  if (auto compiler = chosen_compiler(compiler_name); !compiler) return compiler.problem();
  if (auto engine = chosen_engine(options.engine); !engine) return engine.problem();
  Work work{std::move(*course), std::move(*loaded), {}, 1, false, {}};
  if (auto read = read_executor(line, options, work); !read) return read.problem();
  if (const auto seed = chosen_seed(options.seed); !seed) return seed.problem();
  // On a cluster the machines that grade must have the sandbox.
  if (const auto walls = check_sandbox(options.require_sandbox && !work.on_slurm); !walls)
    return walls.problem();
  work.order.require_sandbox = options.require_sandbox;
  work.order.stats = options.stats;
  work.order.lab = lab;
  work.order.variant = variant;
  work.order.course = options.course;
  work.order.seed = options.seed;
  work.order.device = options.device;
  work.order.compiler = compiler_name;
  work.order.engine = options.engine;
  work.order.language = spoken_language();
  work.order.profile = profile->name;
  if (line.given("--device-profile")) work.order.device = info_of(DeviceKind::Simulator).name;
  if (!work.on_slurm && may_measure(*device)) work.jobs = 1;  // measured times must not share a GPU
  return work;
}

std::unique_ptr<Executor> Work::executor(const std::atomic<bool>* cancel) const {
  return on_slurm ? slurm_executor(slurm, cancel) : local_executor(jobs, cancel);
}

Result<ChosenSeed> seed_of_class(const ClassRecord& record, const Work& work) {
  const auto named = parse_number<std::uint64_t>(work.order.seed);
  if (record.runs.empty()) return class_seed(work.course, work.lab.slug, named);
  const RunRecord& last = record.runs.back();
  ChosenSeed seed{parse_number<std::uint64_t>(last.seed).value_or(0), last.seed_policy};
  if (seed.policy.empty()) seed.policy = spelling(SeedPolicy::Fresh);  // an earlier grader had no other
  if (!named) return seed;
  if (!has_own_seeds(seed)) seed.policy = kNamedSeed;
  seed.value = *named;
  return seed;
}

/// Grades of a class differ from those of the students' own gradings if a policy of the course is overridden.
void report_other_policies(const ClassRecord& record, const Work& work) {
  const Course& course = work.course;
  if (course.for_students && work.lab.hidden_elsewhere > 0)
    log_progress(msg::class_without_hidden_cases(work.lab.hidden_elsewhere));
  const WorkOrder& order = work.order;
  const bool any = course.compiler.empty() || course.compiler == "auto";
  if (!any && order.compiler != course.compiler)
    log_progress(msg::compiler_not_the_courses(order.compiler, course.compiler));
  if (!course.device_profile.empty() && order.profile != course.device_profile)
    log_progress(msg::profile_not_the_courses(order.profile, course.device_profile));
  const std::string asked(spelling(course.seed_policy));
  const auto seed = seed_of_class(record, work);
  if (seed && seed->policy != kNamedSeed && seed->policy != asked)
    log_progress(msg::seed_not_the_courses(seed->policy, asked));
}

bool has_own_seeds(const ChosenSeed& seed) { return seed.policy == spelling(SeedPolicy::ByStudent); }

int grade_class(ClassFolder& folder, const Work& work, const std::vector<std::string>& sources,
                const std::string& why, const std::atomic<bool>* cancel) {
  auto record = read_record(folder.journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  WorkOrder order = work.order;
  report_other_policies(*record, work);
  const auto seed = seed_of_class(*record, work);
  if (!seed) return report_error(seed.problem(), kCouldNotGrade);
  order.seed = std::to_string(seed->value);
  order.seed_policy = seed->policy;
  if (has_own_seeds(*seed)) {
    for (const auto& [id, student] : record->students)
      for (const Handed& handed : student.hand_ins)
        order.own_seeds[handed.source] = std::to_string(seed_of_student(seed->value, id));
  }
  auto key = lab_key(work.course, work.lab, order);
  if (!key) return report_error(key.problem(), kCouldNotGrade);
  RunRecord run;
  run.lab = order.lab;
  run.variant = order.variant;
  run.course = order.course;
  run.seed = order.seed;
  run.seed_policy = order.seed_policy;
  run.device = order.device;
  run.compiler = order.compiler;
  run.profile = order.profile;
  run.lab_key = *key;
  run.grader = grader_version();
  run.why = why;
  run.pseudonym_key = record->pseudonym_key;
  if (run.pseudonym_key.empty()) {
    const auto fresh = fresh_seed();
    if (!fresh) return report_error(fresh.problem(), kCouldNotGrade);
    run.pseudonym_key = std::to_string(*fresh);
  }

  Result<void> graded;
  {
    ProgressLine line(*record);
    const BatchHooks hooks{[&line](const Message& text) {
                             line.clear();
                             log_progress(text);
                           },
                           [&line](const BatchProgress& progress) { line.show(progress); }, cancel};
    const auto executor = work.executor(cancel);
    graded = grade_sources(folder, sources, order, run, *executor, hooks);
  }
  folder.work().clear_sources();
  if (cancel != nullptr && cancel->load()) {
    log_progress(msg::batch_stopped());
    return kCouldNotGrade;
  }
  if (!graded) {
    report_error(graded.problem(), kCouldNotGrade);
    (void)finish_class(folder);
    return kCouldNotGrade;
  }
  return finish_class(folder);
}

void add_names_option(CommandLine& line, RuleOptions& rules) {
  line.option("--names", "name|pseudonym", rules.names,
              "How pages and mail texts name a student, from now on [name]");
}

Result<void> keep_rules(ClassFolder& folder, const RuleOptions& rules) {
  const auto names = names_shown_of(rules.names);
  if (!rules.names.empty() && !names) return error(msg::no_such_names(rules.names), msg::names_are());
  if (!rules.late.empty()) {
    auto text = read_file(rules.late, kMaxRuleBytes);
    if (!text) return text.problem();
    if (auto late = parse_late_rules(*text, rules.late); !late) return late.problem();
    auto written = folder.journal().append(event::kRules, "", late_rules_body(*text));
    if (!written) return written.problem();
  }
  if (rules.highest || rules.last) {
    auto written = folder.journal().append(event::kRules, "", keep_highest_body(rules.highest));
    if (!written) return written.problem();
  }
  if (names) {
    auto written = folder.journal().append(event::kRules, "", names_body(*names));
    if (!written) return written.problem();
  }
  return {};
}

namespace {

/// A row for a list of students, of whom the first are named.
void warn_of(const auto& row, std::vector<std::string> students, const Message& advice) {
  constexpr std::size_t kMaxNamed = 10;
  if (students.empty()) return;
  const std::size_t more = students.size() - std::min(students.size(), kMaxNamed);
  students.resize(students.size() - more);
  Messages line = row(listed(students), more);
  line.add(advice);
  print_err("{}\n", rendered(line));
}

/// Names students about whom the rule for lateness and the class disagree.
void warn_of_lateness(const ClassRecord& record) {
  std::vector<std::string> names, nobodys, untimed, without;
  for (const auto& [id, student] : record.students) {
    names.push_back(id);
    const Lateness late = grade_of(record, student).late;
    if (late.at_least) untimed.push_back(id);
    if (!late.known) without.push_back(id);
  }
  for (const auto& [id, rule] : record.late.students) {
    if (record.students.contains(id)) continue;
    if (nearest(id, names))
      print_err("{}\n", rendered(msg::rule_for_nobody_like(id, suggestion(id, names))));
    else
      nobodys.push_back(id);
  }
  warn_of(msg::rule_for_nobody, std::move(nobodys), Message());
  warn_of(msg::late_without_time, std::move(untimed), msg::give_submitted());
  warn_of(msg::times_not_known, std::move(without), msg::give_submitted());
}

}  // namespace

int fill_table(const std::string& file, const std::filesystem::path& target, const GradeSheet& sheet,
               const std::function<Result<FilledTable>(const GradeSheet&, const CsvTable&,
                                                       const std::string& shown)>& with) {
  auto text = read_file(file, kMaxTableBytes);
  if (!text) return report_error(text.problem(), kUsage);
  auto table = parse_csv(*text, file);
  if (!table) return report_error(table.problem(), kUsage);
  auto filled = with(sheet, *table, file);
  if (!filled) return report_error(filled.problem(), kUsage);
  if (auto written = write_file_atomically(target, csv_text(filled->table)); !written)
    return report_error(written.problem(), kCouldNotGrade);
  write_out(rendered(msg::grades_filled_in(target.string(), filled->filled)) + "\n");
  if (!filled->cut.empty())
    print_out("cut to the task's maximum, without the rest of a bonus: {}\n", fmt::join(filled->cut, ", "));
  for (const std::string& student : sheet.withdrawn) print_out("withdrawn: {}\n", printable(student));
  if (!filled->missing.empty())
    print_out("without a row in {}: {}\n", file, fmt::join(filled->missing, ", "));
  return filled->missing.empty() ? kPassed : kLostPoints;
}

int finish_class(ClassFolder& folder) {
  auto record = read_record(folder.journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  if (auto kept = keep_pseudonym_key(folder, *record); !kept)
    return report_error(kept.problem(), kCouldNotGrade);
  // The pages are in the words of the course, if it is still there.
  CourseFiles files;
  if (!record->runs.empty()) {
    const RunRecord& run = record->runs.back();
    if (const auto course = find_course(run.course, run.lab))
      files = course_files(*course, run.lab, run.variant);
  }
  std::optional<logging::Timed> writing(logging::Metric::Report);
  if (auto written = write_reports(folder, *record, files); !written)
    return report_error(written.problem(), kCouldNotGrade);
  writing.reset();
  std::size_t graded = 0, whole = 0;
  double sum = 0, most = 0;
  std::vector<std::string> others, withdrawn;
  std::string verdict, example;  // the common verdict, and one student who has it
  for (const auto& [id, student] : record->students) {
    const Grade grade = grade_of(*record, student);
    if (grade.withdrawn != nullptr)
      withdrawn.push_back(fmt::format("  {}: {}", id, one_line(rendered(withdrawal_note(grade)))));
    if (!grade.scored()) {
      others.push_back(fmt::format("  {}{}: {}", id, student.name == id ? "" : " (" + student.name + ")",
                                   one_line(rendered(grade.problem))));
      continue;
    }
    const std::string own = grade.grading == nullptr ? "" : only_verdict(*grade.grading);
    verdict = graded == 0 || own == verdict ? own : "";
    if (graded == 0) example = (folder.path() / "feedback" / (file_name_of(id) + ".html")).string();
    ++graded;
    sum += grade.points;
    most = std::max(most, grade.max_points);
    if (grade.max_points > 0 && grade.points >= grade.max_points) ++whole;
  }
  write_out(rendered(msg::class_graded(graded, record->students.size())));
  if (graded > 0) {
    print_out(", {} points of {} in the mean, {} with all of them",
              human_points(round_points(sum / static_cast<double>(graded))), human_points(most), whole);
  }
  print_out("\n{}\n", (folder.path() / "gradebook.csv").string());
  print_suspicion(graded, verdict, example);
  warn_of_lateness(*record);
  if (const Messages differences = differences_of(conditions_of(*record)); !differences.empty()) {
    print_out("\n");
    for (const Message& one : differences) print_out("{}\n", printable(rendered(one)));
    print_out("{}\n", rendered(msg::make_results_alike()));
  }
  if (!others.empty()) {
    print_out("\nNot graded\n");
    for (const std::string& line : others) print_out("{}\n", line);
  }
  if (!withdrawn.empty()) {
    print_out("\nWithdrawn\n");
    for (const std::string& line : withdrawn) print_out("{}\n", line);
  }
  return others.empty() ? kPassed : kLostPoints;
}

}  // namespace cudalabs::cli
