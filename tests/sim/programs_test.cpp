// Whole CUDA programs, compiled and run by `grader run`. The programs in programs/ compare the results of the
// device and the host; those in faults/ make errors that must be reported. Comments in a program contain the
// expected output: `// expect: ...` (stdout; "ok" if there is none), `// stderr: ...` (`@` for its folder,
// `#` for an address) and `// exit: ...`. `// nvcc alone: ...` says why other compilers' code does not show
// it, and `// simulator alone: ...` why a GPU does not (tests/gpu).

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;

struct Program {
  fs::path file;
  std::string out, err, nvcc_alone;
  int status = 0;
};

std::vector<Program> programs(const std::string& folder) {
  std::vector<Program> found;
  for (const auto& entry : fs::directory_iterator(fs::path(CUDALABS_TEST_DATA) / folder)) {
    if (entry.path().extension() != ".cu") continue;
    Program program{entry.path(), {}, {}, {}, 0};
    std::ifstream in(entry.path());
    int status = -1;
    for (std::string line; std::getline(in, line);) {
      const std::string out = "// expect: ", err = "// stderr: ";
      if (line.starts_with(out)) program.out += line.substr(out.size()) + "\n";
      if (line.starts_with(err)) program.err += line.substr(err.size()) + "\n";
      const std::string alone = "// nvcc alone: ";
      if (line.starts_with(alone)) program.nvcc_alone = line.substr(alone.size());
      if (line.starts_with("// exit: ")) status = std::stoi(line.substr(9));
    }
    program.status = status >= 0 ? status : program.err.empty() ? 0 : 1;
    if (program.out.empty() && program.err.empty()) program.out = "ok\n";
    found.push_back(std::move(program));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return found;
}

std::string shown(std::string text, const fs::path& folder) {
  for (std::size_t at = 0; (at = text.find(folder.string() + "/", at)) != std::string::npos;) {
    text.replace(at, folder.string().size(), "@");
  }
  return std::regex_replace(text, std::regex("0x[0-9a-f]{6,}"), "#");
}

cudalabs::test::Ended grader_run(const fs::path& file) {
  cudalabs::test::Invocation invocation{
      .words = {CUDALABS_BIN "/grader", "run", file, "--device", "simulator"},
      .folder = fs::temp_directory_path(),
      .bare = true,
      .seconds = 200};
  for (const char* name : {"PATH", "HOME", "TMPDIR", "CUDA_LABS_COMPILER", "CUDA_LABS_CLANG"}) {
    if (const char* value = std::getenv(name)) invocation.environment[name] = value;
  }
  return cudalabs::test::run(invocation);
}

/// Runs every `parts`-th program from `part` on, so that ctest distributes them over the cores.
void run_part(const std::string& folder, std::size_t part, std::size_t parts) {
  const auto all = programs(folder);
  REQUIRE(all.size() >= parts);
  for (std::size_t i = part; i < all.size(); i += parts) {
    DYNAMIC_SECTION(all[i].file.filename().string()) {
      if (!all[i].nvcc_alone.empty() && !cudalabs::test::is_nvcc(all[i].nvcc_alone.c_str())) continue;
      const auto end = grader_run(all[i].file);
      CHECK(shown(end.out, all[i].file.parent_path()) == all[i].out);
      CHECK(shown(end.err, all[i].file.parent_path()) == all[i].err);
      CHECK(end.status == all[i].status);
    }
  }
}

}  // namespace

TEST_CASE("programs compute what the host computes, part 1", "[programs1]") { run_part("programs", 0, 3); }
TEST_CASE("programs compute what the host computes, part 2", "[programs2]") { run_part("programs", 1, 3); }
TEST_CASE("programs compute what the host computes, part 3", "[programs3]") { run_part("programs", 2, 3); }
TEST_CASE("faults are told with their place and what to do", "[faults]") { run_part("faults", 0, 1); }
