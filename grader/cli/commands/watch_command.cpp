// Grades whenever the file is saved. The grading context remains open, so that later gradings do not repeat
// its setup.

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>

#include "grader/base/fd.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/files/editor_files.h"
#include "grader/cli/history.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/cli/standing.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/cases/seed.h"
#include "grader/grading/grade.h"
#include "grader/present/causes.h"
#include "grader/present/terminal/console.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Detects writes in a folder. Some editors write a new file and rename it over the old one, so this watches
/// the folder and not the file.
class FolderWatch {
 public:
  static Result<FolderWatch> open(const fs::path& folder) {
    FolderWatch watch;
    watch.events_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!watch.events_ || ::inotify_add_watch(watch.events_.get(), folder.c_str(),
                                              IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE) < 0)
      return Diagnostic{{folder.string(), 0, 0}, msg::cannot_be_watched(), msg::is_it_a_local_folder()};
    return watch;
  }

  /// Waits until a write is followed by a short pause. Returns false if cancelled.
  bool wait(const std::atomic<bool>& cancel) {
    while (!cancel.load()) {
      if (!changed(100ms)) continue;
      while (changed(20ms) && !cancel.load()) {
      }
      return !cancel.load();
    }
    return false;
  }

 private:
  bool changed(std::chrono::milliseconds patience) {
    pollfd ready{events_.get(), POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(patience.count())) <= 0) return false;
    char buffer[4096];
    while (::read(events_.get(), buffer, sizeof buffer) > 0) {
    }
    return true;
  }

  UniqueFd events_;
};

std::string clock_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%H:%M:%S", &parts)};
}

/// Compares the relevant bytes, so that saving without a change does not grade again.
bool same_source(const Submission& a, const Submission& b) {
  const auto same = [](const SourceFile& x, const SourceFile& y) {
    return x.name == y.name && x.content == y.content;
  };
  return same(a.source, b.source) &&
         std::equal(a.headers.begin(), a.headers.end(), b.headers.begin(), b.headers.end(), same);
}

class Watcher {
 public:
  Watcher(GradingContext& context, GradeRequest request, const std::atomic<bool>& cancel)
      : context_(context), request_(std::move(request)), cancel_(cancel) {}

  int run() {
    const auto first = prepare(context_, request_);
    if (!first) return report_error(first.problem(), kUsage);
    // A source in an archive or a notebook changes with that file.
    fs::path folder = first->submission.file.parent_path();
    std::error_code ignored;
    while (!folder.empty() && !fs::is_directory(folder, ignored)) folder = folder.parent_path();
    auto watch = FolderWatch::open(folder.empty() ? "." : folder);
    if (!watch) return report_error(watch.problem(), kCouldNotGrade);
    for (const Message& note : first->found) log_progress(note);
    do {
      if (!look()) return kCouldNotGrade;
    } while (watch->wait(cancel_));
    return kPassed;
  }

 private:
  /// Grades the current file if it has changed. Returns false if the grader cannot continue.
  bool look() {
    auto job = prepare(context_, request_);
    if (!job) {  // half saved, or renamed for a moment
      report_error(job.problem(), kUsage);
      return true;
    }
    if (before_ && same_source(job->submission, seen_)) return true;
    seen_ = job->submission;
    const auto start = std::chrono::steady_clock::now();
    auto result = grade(context_, *job, [](const Message& step) { busy_line::show(step); });
    busy_line::stop();
    if (!result) {
      if (!cancel_.load()) report_error(result.problem(), kCouldNotGrade);
      return false;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    remember(*result);
    Standing now{result->points, {}, result->versions};
    if (before_)
      tell(*result, now, seconds);
    else
      print_out("{}\n", console_report(*result, ConsoleStyle::for_descriptor(STDOUT_FILENO)));
    if (!before_) print_err("{}\n", rendered(msg::graded_in(fmt::format("{:.1f}", seconds))));
    before_ = std::move(now);
    return out_is_whole();  // flushes, so that the output also appears in a pipe at once
  }

  /// Prints what a save has changed, and what to mend first.
  void tell(const GradeResult& result, const Standing& now, double seconds) const {
    const Difference change = difference(&*before_, &now);
    print_out("{}  {}{}  ({:.1f} s)\n", clock_now(), summary_line(result),
              change.from == change.to ? "" : tr(", before {}", change.from), seconds);
    const std::vector<Cause> causes = causes_of(result);
    const std::string first = causes.empty() ? std::string() : causes.front().key;
    if (!change.any()) print_out("nothing has changed in the result\n");
    print_changes(change, first);
    if (causes.empty()) return;
    const bool is_new =
        std::ranges::find(change.fresh, first, &Difference::CauseLine::key) != change.fresh.end();
    if (is_new)
      print_out("To mend first (new):\n");
    else
      print_out("To mend first (as before):\n");
    print_out("{}\n", first_cause_report(result, ConsoleStyle::for_descriptor(STDOUT_FILENO)));
  }

  GradingContext& context_;
  const GradeRequest request_;
  const std::atomic<bool>& cancel_;
  Submission seen_;
  std::optional<Standing> before_;
};

}  // namespace

int watch_command(const Arguments& arguments) {
  std::string lab, variant, submission, compiler, profile, course_folder;
  std::vector<std::string> versions;
  CommandLine line(
      "grader watch", "grader watch LAB VARIANT [OPTIONS]",
      "Grades your file whenever you save it, with the same inputs, and shows what has changed.");
  line.positional("LAB", lab, "The lab, for example lab3");
  line.positional("VARIANT", variant, "Its variant, for example variant4");
  line.option(
      "--submission", "PATH", submission,
      "Your source, or a folder, archive or notebook with it [./LAB/VARIANT, else the current folder]");
  line.repeated("--version", "NAME", versions, "Grade this version only; may be repeated [all]");
  add_compiler_option(line, compiler);
  add_profile_option(line, profile);
  add_course_option(line, course_folder);
  if (auto status = line.parse(arguments)) return *status;
  if (lab.empty() || variant.empty())
    return report_error(error(msg::watch_needs_lab(), msg::for_example("grader watch lab3 variant4")),
                        kUsage);
  auto course = find_course(course_folder, lab);
  if (!course) return report_error(course.problem(), kUsage);
  const auto chosen = chosen_compiler(compiler_of(*course, compiler));
  if (!chosen) return report_error(chosen.problem(), kUsage);
  auto numbers = load_device_profile(*course, profile);
  if (!numbers) return report_error(numbers.problem(), kUsage);
  const auto seed = chosen_seed_of(*course, lab + "/" + variant, std::nullopt, {});
  if (!seed) return report_error(seed.problem(), kCouldNotGrade);
  const Interrupt interrupt;
  BenchOptions options{DeviceChoice::Simulator, std::move(*numbers), interrupt.flag(), *chosen};
  options.kept_case_bytes = 256 << 20;
  options.versions_at_once = true;
  const auto context = GradingContext::open(*course, lab, variant, options);
  if (!context) return report_error(context.problem(), kUsage);
  (void)link_to_headers();  // as in a grading
  return Watcher(**context, {submission, versions, seed->value, seed->policy}, *interrupt.flag()).run();
}

}  // namespace cudalabs::cli
