// grader: see `grader --help`. Each command has its own file.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "grader/base/freed_memory.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/grade.h"

namespace {

using namespace cudalabs::cli;
using cudalabs::Message;
namespace msg = cudalabs::msg;

int run_command_named(const std::string& first, const Arguments& arguments, const Arguments& rest) {
  if (first == "--version" && rest.empty()) {
    print_out("grader {}\n", cudalabs::grader_version());
    return kPassed;
  }
  if (first == "--completion" || first == "__complete") return completion_command(arguments);
  if (first == "__device") return device_command(rest);
  const auto known = commands();
  const auto command = std::ranges::find(known, first, &CommandEntry::name);
  if (command == known.end() || command->grades) cudalabs::keep_freed_memory(512);
  if (first == "__grade") return worker_command(rest);
  return command == known.end() ? grade_command(arguments) : command->run(rest);
}

/// Moves the options of all commands behind the command, as in `grader --language ru list`.
void move_common_options_behind_command(Arguments& arguments) {
  const auto length = [](std::string_view word) -> std::size_t {
    for (const std::string_view option : {"--language", "--color", "--log", "--log-file"}) {
      if (word == option) return 2;  // the value is the next word
      if (word.starts_with(option) && word[option.size()] == '=') return 1;
    }
    return 0;
  };
  std::size_t words = 0;
  while (words < arguments.size() && length(arguments[words]) != 0) words += length(arguments[words]);
  if (words == 0 || words >= arguments.size()) return;
  const auto command = arguments.begin() + static_cast<std::ptrdiff_t>(words);
  std::rotate(arguments.begin(), command, command + 1);
}

struct Least {
  __rlimit_resource limit;
  rlim_t value;
  Message problem, hint;
};

/// Below these limits the grader fails at an unpredictable place: threads die of SIGSEGV without a message,
/// and other errors do not name the limit.
cudalabs::Result<void> check_limits() {
  const Least lowest[] = {
      {RLIMIT_STACK, rlim_t{512} << 10, msg::limit_of_stack(), msg::raise_stack_limit()},
      {RLIMIT_NOFILE, 64, msg::limit_of_open_files(), msg::raise_limit_of_open_files()},
      // The size that compilers may write (BuildSandbox::kFileBytes). The processes also exchange files in
      // memory.
      {RLIMIT_FSIZE, rlim_t{128} << 20, msg::limit_of_file_size(), msg::lift_file_size_limit()}};
  for (const Least& least : lowest) {
    rlimit here{};
    if (::getrlimit(least.limit, &here) == 0 && here.rlim_cur < least.value)
      return cudalabs::error(least.problem, least.hint);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  take_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the shell's file limit becomes an error with a file name
  Arguments arguments(argv + 1, argv + argc);
  move_common_options_behind_command(arguments);
  const std::string first = arguments.empty() ? std::string() : arguments.front();
  const Arguments rest(arguments.empty() ? arguments.end() : arguments.begin() + 1, arguments.end());
  try {
    if (const auto known = choose_language(arguments); !known) return report_error(known.problem(), kUsage);
    if (const auto known = check_environment(); !known) return report_error(known.problem(), kUsage);
    if (const auto enough = check_limits(); !enough) return report_error(enough.problem(), kCouldNotGrade);
    if (const auto known = check_whose_grader(arguments); !known)
      return report_error(known.problem(), kUsage);
    // A build tool shows its own progress, of several commands at a time.
    const bool quiet = first.starts_with("__") || (first == "nvcc" && std::getenv("MAKELEVEL") != nullptr);
    if (!quiet) busy_line::show(msg::command_at_work(first));
    const int status = run_command_named(first, arguments, rest);
    busy_line::stop();
    if (out_is_whole()) return status;
    return report_error(cudalabs::error(msg::stdout_not_written(), msg::is_stdout_closed()), kCouldNotGrade);
  } catch (const std::filesystem::filesystem_error& refused) {
    return report_error(cudalabs::error(msg::file_system_failed(refused.what())), kCouldNotGrade);
  } catch (const std::bad_alloc&) {
    return report_error(cudalabs::error(msg::out_of_memory()), kCouldNotGrade);
  } catch (const std::system_error& refused) {  // a thread that could not be started
    return report_error(cudalabs::error(msg::machine_refuses(refused.what()), msg::may_start_more_threads()),
                        kCouldNotGrade);
  } catch (const std::exception& bug) {
    return report_error(cudalabs::error(msg::internal_error(bug.what()), msg::report_internal_error()),
                        kCouldNotGrade);
  }
}
