#include "grader/compile/program_search.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "grader/support/process.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<fs::path> search_path() {
  std::vector<fs::path> folders;
  std::istringstream list(environment("PATH"));
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty() && folder[0] == '/') folders.emplace_back(folder);  // never the current folder
  }
  return folders;
}

fs::path first_program(const std::vector<fs::path>& folders, const std::string& name) {
  for (const auto& folder : folders) {
    if (is_program(folder / name)) return folder / name;
  }
  return {};
}

Result<fs::path> named_program(const char* variable) {
  const fs::path given = environment(variable);
  if (given.empty()) return fs::path();
  const fs::path program = given.has_parent_path() ? given : first_program(search_path(), given.string());
  if (is_program(program)) return program;
  return error(std::string("$") + variable + " names " + given.string() + ", which is not a program");
}

Result<std::string> asked(const fs::path& program, const std::string& option) {
  Command command;
  command.argv = {program.string(), option};
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.limits.wall = std::chrono::seconds(30);
  const auto end = run(std::move(command));
  if (!end) return end.problem();
  if (!end->success()) return error(program.string() + " " + option + " does not work");
  return end->out;
}

}  // namespace cudalabs
