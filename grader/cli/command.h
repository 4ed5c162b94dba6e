#pragma once
// Shared parts of the commands: exit statuses, error output, and common options.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/log/stats.h"
#include "grader/base/result.h"
#include "grader/cli/command_line.h"
#include "grader/course/lab.h"
#include "grader/device/client/device_process.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs::cli {

/// The exit status describes the grader; a submission's own exit status has no meaning.
enum ExitStatus : int {
  kPassed = 0,         ///< graded, and everything passed (or the command succeeded)
  kLostPoints = 1,     ///< graded, with lost points
  kUsage = 2,          ///< a usage or configuration error: the user can repair it
  kCouldNotGrade = 3,  ///< the grader could not do its work
  kNothingToGrade = 4  ///< what was handed in cannot be graded: its author can repair it
};

int grade_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int init_command(const Arguments& arguments);
int run_command(const Arguments& arguments);
int nvcc_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int ladder_command(const Arguments& arguments);
int similarity_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int check_labs_command(const Arguments& arguments);
int new_lab_command(const Arguments& arguments);
int course_command(const Arguments& arguments);
int batch_command(const Arguments& arguments);
int regrade_command(const Arguments& arguments);
int adjust_command(const Arguments& arguments);
int withdraw_command(const Arguments& arguments);
int term_command(const Arguments& arguments);
int undo_command(const Arguments& arguments);
int gradebook_command(const Arguments& arguments);
int feedback_command(const Arguments& arguments);
int log_command(const Arguments& arguments);
int diff_command(const Arguments& arguments);
int watch_command(const Arguments& arguments);
int history_command(const Arguments& arguments);
int worker_command(const Arguments& arguments);
int device_command(const Arguments& arguments);

int completion_command(const Arguments& arguments);

/// A command of its own name; what is none is a lab to grade.
struct CommandEntry {
  const char* name;
  int (*run)(const Arguments& arguments);
  bool grades;  ///< it runs many launches, and does better if it keeps freed memory
};
std::span<const CommandEntry> commands();

/// The names that `grader NAME` accepts besides the labs.
std::span<const std::string> command_names();

/// Prints one line of progress on stderr. Text from a path or a program is escaped, so that it cannot affect
/// the terminal.
void log_progress(const Message& line);

/// What an option is given among arguments that are not parsed yet; of several the last one counts.
std::optional<std::string> value_among(const Arguments& arguments, const std::string& option);

/// Sets the language that --language names, or the first available one in the environment's LANGUAGE. It runs
/// before the arguments are parsed, so that errors about them are translated too. The course that --course or
/// the environment names may bring the language, or one that the grader carries. Child processes of the
/// grader use English, because programs read and store their output.
Result<void> choose_language(const Arguments& arguments);

/// Checks the environment's CUDA_LABS_* variables that choose among names. Every command does this at its
/// start; otherwise a misspelt value would be found in the middle of a grading, or never.
Result<void> check_environment();

/// Warns each user once if this grader holds solutions and looks as if it were installed for students: others
/// own the program and everybody may start it. Error: course.yaml says `staff_only`, and the course is in a
/// file or in the program. $CUDA_LABS_STAFF says that staff runs it: then there is neither.
Result<void> check_whose_grader(const Arguments& arguments);

/// Error: the course is the students' edition, which lacks what `command` needs.
Result<void> check_has_solutions(const Course& course, const std::string& command);

/// Starts the log that --log and --log-file ask for, over CUDA_LABS_LOG and CUDA_LABS_LOG_FILE. Every command
/// does this once it knows its options. Error: as read_levels() and start() of grader/base/log/log.h.
Result<void> start_log(const std::string& levels, const std::string& file);

/// Adds --stats to a command.
void add_stats_option(CommandLine& line, bool& stats);
/// If --stats was given: measures the command's steps while the object lives, and prints their table to
/// stderr at its end.
class PrintedStats {
 public:
  explicit PrintedStats(bool asked);
  ~PrintedStats();
  PrintedStats(const PrintedStats&) = delete;
  PrintedStats& operator=(const PrintedStats&) = delete;

 private:
  std::optional<logging::Timed> whole_;
};

/// Prints "grader: ..." to stderr and returns `status`, or kCouldNotGrade if the error is an infrastructure
/// error, or kNothingToGrade if it is the submission's fault.
int report_error(const Diagnostic& problem, ExitStatus status);

/// Adds --course to a command.
void add_course_option(CommandLine& line, std::string& folder);

/// Adds --device to a command.
void add_device_option(CommandLine& line, std::string& name);
/// The device that --device names. If a profile is given, `auto` means the simulator, because only estimated
/// times need a profile. Errors: no such device, a GPU without a driver, a GPU together with a profile.
Result<DeviceChoice> chosen_device(const std::string& name, bool with_profile);

/// What --compiler names, else what the course asks for; for chosen_compiler().
const std::string& compiler_of(const Course& course, const std::string& named);
/// Adds --compiler to a command.
void add_compiler_option(CommandLine& line, std::string& name);
/// The compiler that --compiler names. Error: no such compiler.
Result<CompilerChoice> chosen_compiler(const std::string& name);
void add_engine_option(CommandLine& line, std::string& name);
Result<sim::Engine> chosen_engine(const std::string& name);

/// The number of --seed; nothing if the option is not there. Error: it is no number.
Result<std::optional<std::uint64_t>> chosen_seed(const std::string& text);

/// Checks that the sandbox of --require-sandbox is available, if `required`. An error is an infrastructure
/// error.
Result<void> check_sandbox(bool required);

/// Adds --device-profile to a command, for the GPU whose times are estimated.
void add_profile_option(CommandLine& line, std::string& name);

}  // namespace cudalabs::cli
