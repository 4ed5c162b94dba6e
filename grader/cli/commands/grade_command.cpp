#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "grader/base/process/sandbox.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/diagnose.h"
#include "grader/cli/files/editor_files.h"
#include "grader/cli/files/report_files.h"
#include "grader/cli/history.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/course/course.h"
#include "grader/course/device_profile.h"
#include "grader/device/driver/driver_library.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/cases/seed.h"
#include "grader/grading/conflict_examples.h"
#include "grader/grading/grade.h"
#include "grader/present/terminal/console.h"

namespace cudalabs::cli {
namespace {

struct GradeOptions {
  std::string lab, variant, submission, student, device = "auto", compiler, engine, seed, course;
  std::string profile;
  std::vector<std::string> versions;
  bool quiet = false, verbose = false, sanitize = false, require_sandbox = false, stats = false;
  std::string report;
  ReportFiles files;
};

const char* const kGradeFooter = R"(Other commands:
  grader list                  list the labs and variants
  grader init LAB VARIANT      create a folder with the stub to fill in, the contract, the handout, and files for editors
  grader watch LAB VARIANT     grade whenever you save your file, and show what has changed
  grader history [LAB VARIANT] show your gradings: the points, and what changed
  grader run FILE.cu           build any CUDA program and run it without a GPU
  grader nvcc OPTIONS...       replace nvcc in a build; its programs then run without a GPU
  grader explain LAB VARIANT   show your source line by line, with the cost of each line
  grader report RESULT.json    write a stored result in other formats: JUnit, Markdown, Gradescope, ...
  grader ladder NAME           run a ladder of kernels: what each rung gains, and why
  grader batch LAB VARIANT SOURCES... --out FOLDER
                               for course staff: grade a class; then regrade, adjust, withdraw, undo, gradebook,
                               feedback, log FOLDER
  grader term TERM.yaml --out FOLDER
                               for course staff: the gradebook of a course over a term
  grader diff BEFORE AFTER     for course staff: compare two gradings of a class, or two results
  grader copies LAB VARIANT SUBMISSIONS...
                               for course staff: find similar submissions in a class
  grader check-labs            for course staff: check the labs
  grader new-lab LAB VARIANT   for course staff: write the skeleton of a new lab
  grader course                for course staff: export the students' edition; pack a course into one file
  grader --completion SHELL    print a script that completes this command line in bash, zsh or fish
  grader --version             print the version of the grader

Examples:
  grader init lab3 variant4               start with a variant, in ./lab3/variant4
  grader lab3 variant4                    grade ./lab3/variant4, or the file in the current folder
  grader lab3 variant4 --version padded   grade one of its versions only
  grader lab3 variant4 --seed 1234        the same inputs as in the run that printed this seed
  grader lab3 variant4 --json -           print only the result, as JSON for programs

Exit status: 0 everything passed, 1 graded with lost points, 2 wrong usage or configuration, 3 could not grade,
4 what was handed in cannot be graded: no file, or several.
)";

bool is_lab(const std::string& word, const std::string& course) {
  return !word.empty() && find_course(course, word).ok();
}

/// The error for one word that is neither a command nor a lab, or a lab without its variant; lists the valid
/// names.
Diagnostic missing_variant(const std::string& course_named, const std::string& word) {
  const auto courses = find_courses(course_named);
  if (!courses) return courses.problem();
  std::vector<std::string> names(command_names().begin(), command_names().end()), variants;
  for (const Course& course : *courses) {
    const auto labs = lab_names(course);
    if (offers(course, word) && variants.empty()) variants = variant_names(course, word);
    names.insert(names.end(), labs.begin(), labs.end());
  }
  if (variants.empty()) {
    return error(msg::no_such_command_or_lab(word, suggestion(word, names)), msg::list_and_help_show());
  }
  return error(msg::which_variant(word), msg::variants_of_lab(listed(variants), word, variants.front()));
}

Progress progress_of(const GradeOptions& options) {
  return [quiet = options.quiet](const Message& line) {
    if (!quiet) log_progress(line);
    busy_line::show(line);
  };
}

GradingFailure failure_of(const Course& course, const GradeOptions& options, Diagnostic problem) {
  GradingFailure failure{options.lab, options.variant, std::move(problem), options.versions};
  if (!failure.versions.empty()) return failure;
  if (const auto lab = load_lab(course, options.lab, options.variant)) {
    for (const Version& version : lab->versions) failure.versions.push_back(version.name);
  }
  return failure;
}

int grade_and_report(const Course& course, GradingContext& context, const GradeJob& job,
                     const GradeOptions& options) {
  // Writes each partial result at once. A failed write is repeated at the end, and reported then.
  auto result = grade(context, job, progress_of(options),
                      [&](const GradeResult& partial) { (void)options.files.write_partial(partial); });
  if (!result) {
    // An interrupted grading keeps its partial result. If the machine failed, no result counts.
    if (!context.cancelled()) options.files.fail(failure_of(course, options, result.problem()));
    return report_error(result.problem(), kCouldNotGrade);
  }
  busy_line::stop();
  result->nondeterministic.course = options.course;
  // The score card contains the warning; without a score card it is printed here.
  if (options.quiet || options.files.take_stdout()) {
    for (const Messages& warnings :
         {result->nondeterministic.submission_note, result->nondeterministic.sandbox_warning})
      for (const Message& warning : warnings) log_progress(warning);
  }
  if (!options.files.take_stdout()) {
    ConsoleStyle style = ConsoleStyle::for_descriptor(STDOUT_FILENO);
    style.verbose = options.verbose;
    if (!options.quiet) print_err("\n");
    write_out(options.quiet ? summary_line(*result) + "\n" : console_report(*result, style));
  }
  if (options.files.asked_for("--html"))
    (void)add_conflict_examples(context, job, *result);  // for the page's bank maps
  remember(*result);
  const logging::Timed writing(logging::Metric::Report);
  if (auto written = options.files.write(*result); !written)
    return report_error(written.problem(), kCouldNotGrade);
  return result->passed() ? kPassed : kLostPoints;
}

void add_options(CommandLine& line, GradeOptions& options) {
  line.footer(kGradeFooter);
  line.positional("LAB", options.lab, "The lab, for example lab3");
  line.positional("VARIANT", options.variant, "Its variant, for example variant4");
  line.option(
      "--submission", "PATH", options.submission,
      "Your source, or a folder, archive or notebook with it [./LAB/VARIANT, else the current folder]");
  add_device_option(line, options.device);
  add_compiler_option(line, options.compiler);
  add_engine_option(line, options.engine);
  line.repeated("--version", "NAME", options.versions, "Grade this version only; may be repeated [all]");
  line.option("--seed", "N", options.seed, "Repeat a run: the seed that it printed [fresh and secret]");
  line.option(
      "--student", "ID", options.student,
      "Whose submission it is, as the batch names the student: in a course with a seed for each student, "
      "that student's seed");
  options.files.add_options(line);
  line.flag("--sanitize", options.sanitize,
            "Instead of grading, run NVIDIA's compute-sanitizer over the timed case on the GPU");
  line.option("--profile", "FILE", options.report,
              "Instead of grading, write an Nsight Compute report of the timed case on the GPU");
  line.flag("--require-sandbox", options.require_sandbox,
            "Refuse to grade unless bubblewrap works: for other people's submissions");
  line.flag("-q,--quiet", options.quiet, "Print only one line with the points");
  line.flag("-v,--verbose", options.verbose, "Show every failed case, and the counters of each launch");
  add_profile_option(line, options.profile);
  add_course_option(line, options.course);
  add_stats_option(line, options.stats);
}

/// compute-sanitizer and Nsight Compute replace a grading: options of a grading do not apply.
Result<void> check_tools(const GradeOptions& options, const CommandLine& line) {
  if (!options.sanitize && options.report.empty()) return {};
  const std::string instead = options.sanitize ? "--sanitize" : "--profile";
  std::vector<std::string> others = options.files.option_names();
  others.insert(others.end(), {"--verbose", "--device-profile"});
  if (options.sanitize) others.emplace_back("--profile");
  if (const auto* kind = device_named(options.device); kind != nullptr && kind->simulates)
    others.emplace_back("--device");
  const auto other = line.first_given(others);
  if (!other) return {};
  return error(msg::option_excludes(instead, *other == "--device" ? "--device " + options.device : *other),
               msg::runs_instead_of_grading(instead));
}

}  // namespace

int grade_command(const Arguments& arguments) {
  GradeOptions options;
  CommandLine line("grader", "grader LAB VARIANT [OPTIONS]",
                   "Grades a CUDA lab submission: does it work, is it fast, and if not, which line and why.\n"
                   "Works on machines without a GPU.");
  add_options(line, options);
  if (!arguments.empty()) {
    // `grader lsit`: a word that resembles a command and is not a lab. It would otherwise be taken for a
    // lab's name.
    const auto meant = nearest(arguments.front(), command_names());
    if (meant && !is_lab(arguments.front(), value_among(arguments, "--course").value_or(""))) {
      return report_error(error(msg::no_such_command(arguments.front(), msg::did_you_mean(*meant)),
                                msg::help_shows_commands()),
                          kUsage);
    }
  }
  if (auto status = line.parse(arguments)) return *status;
  const PrintedStats stats(options.stats);

  if (options.lab.empty()) {
    print_err("{}", line.help());
    return kUsage;
  }
  if (const auto slash = options.lab.find('/'); slash != std::string::npos && options.variant.empty()) {
    options.variant = options.lab.substr(slash + 1);  // lab3/variant4, as in the folder names
    options.lab.resize(slash);
  }
  if (options.variant.empty()) return report_error(missing_variant(options.course, options.lab), kUsage);
  auto course = find_course(options.course, options.lab);
  if (!course) return report_error(course.problem(), kUsage);
  const auto named = chosen_seed(options.seed);
  if (!named) return report_error(named.problem(), kUsage);
  const auto seed =
      chosen_seed_of(*course, options.lab + "/" + options.variant, *named, utf8_name(options.student));
  if (!seed) return report_error(seed.problem(), kCouldNotGrade);
  if (auto fits = check_tools(options, line); !fits) return report_error(fits.problem(), kUsage);
  auto device = chosen_device(options.device, line.given("--device-profile"));
  if (!device) return report_error(device.problem(), kUsage);
  const auto compiler = chosen_compiler(compiler_of(*course, options.compiler));
  if (!compiler) return report_error(compiler.problem(), kUsage);
  auto profile = load_device_profile(*course, options.profile);
  if (!profile) return report_error(profile.problem(), kUsage);
  if (auto target = options.files.check(); !target) return report_error(target.problem(), kUsage);

  if (const auto walls = check_sandbox(options.require_sandbox); !walls) {
    options.files.fail(failure_of(*course, options, walls.problem()));
    return report_error(walls.problem(), kCouldNotGrade);
  }

  const auto engine = chosen_engine(options.engine);
  if (!engine) return report_error(engine.problem(), kUsage);
  const Interrupt interrupt;
  BenchOptions bench_options{*device, *profile, interrupt.flag(), *compiler};
  bench_options.engine = *engine;
  const auto context = GradingContext::open(*course, options.lab, options.variant, bench_options);
  if (!context) return report_error(context.problem(), kUsage);
  const auto job = prepare(**context, {options.submission, options.versions, seed->value, seed->policy});
  if (!job) return report_error(job.problem(), kUsage);
  if (options.sanitize || !options.report.empty()) {
    if (auto driver = find_driver_library(); !driver) {
      return report_error(error(msg::tools_need_a_gpu(driver.problem().message), msg::checks_without_gpu()),
                          kUsage);
    }
  }
  if (options.sanitize) return run_sanitizer(**context, *job, progress_of(options));
  if (!options.report.empty()) return write_profile(**context, *job, options.report, progress_of(options));
  (void)link_to_headers();  // an editor's flags name it, and somebody may have cleaned the cache
  options.files.begin();
  try {
    return grade_and_report(*course, **context, *job, options);
  } catch (const std::exception& problem) {  // main reports it
    options.files.fail(failure_of(*course, options, error(verbatim(problem.what()))));
    throw;
  }
}

}  // namespace cudalabs::cli
