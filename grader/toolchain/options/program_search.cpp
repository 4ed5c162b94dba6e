#include "grader/toolchain/options/program_search.h"

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>

#include "grader/base/process/process.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kVersionBytes = 4096;
constexpr std::size_t kSaidBytes = std::size_t{1} << 20;
constexpr std::chrono::seconds kPatience{15};  // for a program that only prints its version

bool is_elf(const fs::path& program) {
  std::array<char, 4> begin{};
  std::ifstream(program, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) ==
         "\x7f"
         "ELF";
}

/// The failure of a program that only had to print its version; no message if it succeeded.
Message what_is_wrong(const ProcessEnd& end) {
  if (end.limit == LimitHit::Wall) return msg::answer_late(kPatience.count());
  if (end.limit == LimitHit::Output) return msg::answer_endless();
  if (!end.exited) return msg::answer_killed(signal_name(end.signal));
  if (end.exit_code != 0) {
    std::istringstream words(end.err);
    std::string first;
    std::getline(words, first);
    return msg::answer_failed(end.exit_code, verbatim(first));
  }
  return end.out.empty() ? msg::answer_empty() : Message();
}

/// `another`: advice on how to choose another program.
Result<std::string> answer(const fs::path& program, const std::string& option, const Message& another) {
  Command command;
  command.argv = {program.string(), option};
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.limits.wall = kPatience;
  command.limits.output_bytes = kSaidBytes;
  const auto end = run(std::move(command));
  const Messages hint{msg::try_in_a_shell(program.string(), option), another};
  if (!end) return error(end.problem().message, hint);
  if (const auto wrong = what_is_wrong(*end); !wrong.empty())
    return error(msg::program_does_not_work(program.string(), option, wrong), hint);
  return end->out;
}

}  // namespace

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
  return error(msg::variable_names_no_program(variable, given.string()), msg::set_or_unset_variable());
}

Result<std::string> version_said(const fs::path& program) {
  const auto ask = [&program] {
    return answer(program, "--version", msg::set_path_of_another("CUDA_LABS_CLANG"));
  };
  std::error_code no_size, no_time;
  const auto size = fs::file_size(program, no_size);
  const auto time = fs::last_write_time(program, no_time).time_since_epoch().count();
  // A script may start another program tomorrow: its answer is not cached.
  const auto cache = is_elf(program) && !no_size && !no_time ? cache_folder() : error(Messages());
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
                program.filename() == "nvcc" ? msg::set_folder_of_another_toolkit()
                                             : msg::set_path_of_another("CUDAHOSTCXX"));
}

}  // namespace cudalabs
