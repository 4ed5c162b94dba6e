#pragma once
// What the commands share: their exit statuses, how they speak of errors, and the options that several have.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/command_line.h"
#include "grader/compile/toolchain.h"
#include "grader/config/lab.h"
#include "grader/device/handle/device_process.h"
#include "grader/support/result.h"

namespace cudalabs::cli {

/// The exit status speaks of the grader; a submission's own status means nothing.
enum ExitStatus : int {
  kPassed = 0,        ///< graded, and everything passed (or the command did what it was asked to)
  kLostPoints = 1,    ///< graded, with lost points
  kUsage = 2,         ///< a usage or configuration error: the user can repair it
  kCouldNotGrade = 3  ///< the grader could not do its work
};

int grade_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int init_command(const Arguments& arguments);
int run_command(const Arguments& arguments);
int nvcc_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int ladder_command(const Arguments& arguments);
int copies_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int check_labs_command(const Arguments& arguments);
int new_lab_command(const Arguments& arguments);
int batch_command(const Arguments& arguments);
int regrade_command(const Arguments& arguments);
int adjust_command(const Arguments& arguments);
int undo_command(const Arguments& arguments);
int gradebook_command(const Arguments& arguments);
int log_command(const Arguments& arguments);
int diff_command(const Arguments& arguments);
int watch_command(const Arguments& arguments);
int history_command(const Arguments& arguments);
int worker_command(const Arguments& arguments);
int device_command(const Arguments& arguments);

/// The names that `grader NAME` knows, besides the labs.
std::span<const std::string> command_names();

/// One line of what is going on, on stderr; what a path or a program put into it cannot steer the terminal.
void say(std::string_view line);

/// Speaks the language that --language names, else the first of the environment's LANGUAGE that there is:
/// before the arguments are parsed, so that it speaks of them too. What the grader starts for itself speaks
/// English: its words are read by programs and kept.
Result<void> choose_language(const Arguments& arguments);

/// Do the environment's CUDA_LABS_* variables that choose among names hold one of them? For every command, at
/// its start: a misspelt one would be met in the middle of a grading, or never.
Result<void> check_environment();

/// Prints "grader: ..." to stderr and returns `status`, or kCouldNotGrade if the machine is to blame.
int complain(const Diagnostic& problem, ExitStatus status);

/// Adds --course to a command.
void add_course_option(CommandLine& line, std::string& folder);

/// Adds --device to a command.
void add_device_option(CommandLine& line, std::string& name);
/// The device that --device names. A profile that was asked for makes `auto` the simulator: only times that
/// are estimated need one. Errors: no such device, a GPU where there is no driver, a GPU and a profile.
Result<DeviceChoice> chosen_device(const std::string& name, bool with_profile);

/// Adds --compiler to a command.
void add_compiler_option(CommandLine& line, std::string& name);
/// The compiler that --compiler names. Error: there is no such.
Result<CompilerChoice> chosen_compiler(const std::string& name);
void add_engine_option(CommandLine& line, std::string& name);
Result<sim::Engine> chosen_engine(const std::string& name);

/// What --require-sandbox asks for, where it is `required`. The error is the machine's.
Result<void> check_sandbox(bool required);

/// Adds --device-profile to a command, for the card whose times are estimated.
void add_profile_option(CommandLine& line, std::string& name);

}  // namespace cudalabs::cli
