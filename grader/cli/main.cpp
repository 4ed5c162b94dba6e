// grader: see `grader --help`. Each command stands in a file of its own.

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "grader/cli/command.h"
#include "grader/grade/grade.h"

int main(int argc, char** argv) {
  using namespace cudalabs::cli;
  const Arguments arguments(argv + 1, argv + argc);
  const std::string first = arguments.empty() ? std::string() : arguments.front();
  const Arguments rest(arguments.empty() ? arguments.end() : arguments.begin() + 1, arguments.end());
  try {
    if (first == "--version" && rest.empty()) {
      fmt::print("grader {}\n", cudalabs::grader_version());
      return kPassed;
    }
    if (first == "list") return list_command(rest);
    if (first == "init") return init_command(rest);
    if (first == "run") return run_command(rest);
    if (first == "explain") return explain_command(rest);
    if (first == "new-lab") return new_lab_command(rest);
    if (first == "ladder") return ladder_command(rest);
    if (first == "check-labs") return check_labs_command(rest);
    if (first == "__device") return device_command(rest);
    return grade_command(arguments);
  } catch (const std::exception& bug) {
    fmt::print(stderr,
               "grader: internal error: {}\n  hint: this is a bug of the grader; please report it with the "
               "command line\n",
               bug.what());
    return kCouldNotGrade;
  }
}
