// Programs that are right, however they look: the programs of tests/programs/silent compute what the host
// does, and no checker says anything of them. A file is run once, by the compiler that is installed first;
// CUDA_LABS_SILENT=all runs each by every compiler and every engine, without checkers too, and those of
// streams in other orders. SILENT_ONLY=graphs looks at one file.

#include <cstdlib>
#include <set>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const fs::path kSilent = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "silent";

/// A file of programs, and what its comments say of how it is built.
struct SilentFile {
  explicit SilentFile(const fs::path& path) : name(path.stem()) {
    std::istringstream lines(read_file(path));
    for (std::string line; std::getline(lines, line);) {
      const std::string options_are = "// options: ", program = "PROGRAM(";
      if (line.starts_with(options_are)) {
        std::istringstream words(line.substr(options_are.size()));
        for (std::string word; words >> word;) options.push_back(word);
      }
      nvcc_alone |= line.starts_with("// nvcc alone: ");
      if (line.starts_with(program))
        expected += line.substr(program.size(), line.find(')') - program.size()) + " ok\n";
    }
  }
  std::string name, expected;
  Words options;
  bool nvcc_alone = false;
};

std::vector<SilentFile> silent_files() {
  std::vector<SilentFile> files;
  const char* const only = std::getenv("SILENT_ONLY");
  for (const auto& entry : fs::directory_iterator(kSilent)) {
    if (entry.path().extension() == ".cu" && (only == nullptr || entry.path().stem() == only))
      files.emplace_back(entry.path());
  }
  std::ranges::sort(files, {}, &SilentFile::name);
  return files;
}

void expect_silence(const Sandbox& sandbox, const SilentFile& file, const std::string& compiler,
                    const Words& more) {
  Words words{"run", file.name + ".cu", "--device", "simulator", "--compiler", compiler};
  words.insert(words.end(), file.options.begin(), file.options.end());
  words.insert(words.end(), more.begin(), more.end());
  INFO(compiler << " " << file.name << " " << (more.empty() ? "" : more.front() + " " + more.back()));
  const Outcome outcome = sandbox.grader(words);
  CHECK(outcome.err == "");
  CHECK(outcome.out == file.expected);
  CHECK(outcome.status == 0);
}

}  // namespace

TEST_CASE("no checker says anything of programs that are right", "[silent]") {
  const Sandbox sandbox;
  fs::copy(kSilent, sandbox.work());
  const std::vector<std::string> compilers = cudalabs::test::installed_compilers();
  const char* const asked = std::getenv("CUDA_LABS_SILENT");
  const bool all = asked != nullptr && std::string(asked) == "all";
  const std::vector<SilentFile> files = silent_files();
  std::size_t programs = 0;
  std::set<std::string> names;
  for (const SilentFile& file : files) {
    std::istringstream lines(file.expected);
    for (std::string line; std::getline(lines, line); ++programs) names.insert(file.name + " " + line);
    bool ran = false;
    for (const std::string& compiler : compilers) {
      if ((file.nvcc_alone && compiler != "nvcc") || (ran && !all)) continue;
      ran = true;
      expect_silence(sandbox, file, compiler, {"--check", "all"});
      if (file.name == "streams") expect_silence(sandbox, file, compiler, {"--shuffle-streams", "1"});
      if (!all) continue;
      expect_silence(sandbox, file, compiler, {"--check", "all", "--engine", "interpreter"});
      for (const char* const engine : {"native", "interpreter"})
        expect_silence(sandbox, file, compiler, {"--engine", engine});
      for (const char* const seed : {"2", "3", "4", "5"}) {
        if (file.name == "streams")
          expect_silence(sandbox, file, compiler, {"--check", "all", "--shuffle-streams", seed});
      }
    }
  }
  CHECK(names.size() == programs);  // no two of one name in a file
  if (std::getenv("SILENT_ONLY") == nullptr) CHECK(programs >= 250);
}

}  // namespace e2e
