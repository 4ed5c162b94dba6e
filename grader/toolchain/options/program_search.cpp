#include "grader/toolchain/options/program_search.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "grader/base/process/process.h"
#include "grader/course/cache.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kVersionBytes = 4096;
constexpr std::size_t kSaidBytes = std::size_t{1} << 20;
constexpr std::chrono::seconds kPatience{15};  // for a program that only prints its version

bool is_program(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

bool is_elf(const fs::path& program) {
  std::array<char, 4> begin{};
  std::ifstream(program, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) ==
         "\x7f"
         "ELF";
}

/// The failure of a program that only had to print its version; "" if it succeeded.
std::string what_is_wrong(const ProcessEnd& end) {
  if (end.limit == LimitHit::Wall) return "did not end within " + std::to_string(kPatience.count()) + " s";
  if (end.limit == LimitHit::Output) return "did not stop printing";
  if (!end.exited) return "was ended by " + signal_name(end.signal);
  if (end.exit_code != 0) {
    std::istringstream words(end.err);
    std::string first;
    std::getline(words, first);
    return "ended with status " + std::to_string(end.exit_code) + (first.empty() ? "" : ": " + first);
  }
  return end.out.empty() ? "printed nothing" : "";
}

/// `another`: advice on how to choose another program.
Result<std::string> answer(const fs::path& program, const std::string& option, const std::string& another) {
  Command command;
  command.argv = {program.string(), option};
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.limits.wall = kPatience;
  command.limits.output_bytes = kSaidBytes;
  const auto end = run(std::move(command));
  const std::string hint = "try it in a shell: " + program.string() + " " + option + "; " + another;
  if (!end) return error(end.problem().message.english(), hint);
  if (const auto wrong = what_is_wrong(*end); !wrong.empty())
    return error(program.string() + " does not work: asked for " + option + " it " + wrong, hint);
  return end->out;
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
    if (!folder.empty() && folder[0] == '/') folders.emplace_back(folder);  // never a relative folder
  }
  return folders;
}

fs::path first_program(const std::vector<fs::path>& folders, const std::string& name) {
  for (const auto& folder : folders) {
    if (is_program(folder / name)) return folder / name;
  }
  return {};
}

fs::path installation_of(const fs::path& program) {
  const fs::path folder = program.parent_path();
  if (folder.filename() != "bin") return program;
  const fs::path prefix = folder.parent_path();
  for (const char* own :
       {"lib/gcc", "lib64/gcc", "libexec/gcc", "lib/clang", "lib64/clang", "include/c++", "nvvm"}) {
    std::error_code problem;
    if (fs::is_directory(prefix / own, problem)) return prefix;
  }
  return program;
}

Result<fs::path> named_program(const char* variable) {
  const fs::path given = environment(variable);
  if (given.empty()) return fs::path();
  const fs::path program = given.has_parent_path() ? given : first_program(search_path(), given.string());
  if (is_program(program)) return program;
  return error(std::string("$") + variable + " names " + given.string() + ", which is not a program",
               "set it to the path of one, or unset it");
}

Result<std::string> version_said(const fs::path& program) {
  const auto ask = [&program] {
    return answer(program, "--version", "to use another, set CUDA_LABS_CLANG to its path");
  };
  std::error_code no_size, no_time;
  const auto size = fs::file_size(program, no_size);
  const auto time = fs::last_write_time(program, no_time).time_since_epoch().count();
  // A script may start another program tomorrow: its answer is not cached.
  const auto cache = is_elf(program) && !no_size && !no_time ? cache_folder() : error("nothing to go by");
  if (!cache) return ask();
  const std::array<std::string, 4> parts{"sealed", program.string(), std::to_string(size),
                                         std::to_string(time)};
  const fs::path kept = *cache / "versions" / content_key(parts);
  if (auto known = read_file(kept, kVersionBytes)) {
    if (auto whole = unsealed(std::move(*known))) return std::move(*whole);
  }
  auto said = ask();
  if (said && sealed(*said).size() <= kVersionBytes && make_private_folder(kept.parent_path()))
    (void)write_file_atomically(kept, sealed(*said));  // if this fails, the program is asked again
  return said;
}

Result<std::string> asked(const fs::path& program, const std::string& option) {
  return answer(program, option,
                program.filename() == "nvcc" ? "to use another, set CUDA_HOME to the folder of its toolkit"
                                             : "to use another, set CUDAHOSTCXX to its path");
}

}  // namespace cudalabs
