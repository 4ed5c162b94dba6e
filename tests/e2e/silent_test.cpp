// Right programs with unusual code: the programs of tests/programs/silent compute the host's results, and no
// checker reports anything. By default each file runs once; the compilers take turns.
// CUDA_LABS_TESTS=all runs each with every compiler and engine, also without checkers, and those with
// streams in other orders. SILENT_ONLY=graphs selects one file.

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

/// A file with programs, and the build options in its comments.
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
      by_hand |= line.starts_with("// by hand: ");
      if (line.starts_with(program))
        expected += line.substr(program.size(), line.find(')') - program.size()) + " ok\n";
    }
  }
  std::string name, expected;
  Words options;
  bool nvcc_alone = false, by_hand = false;
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
  const bool all = cudalabs::test::everything();
  const std::vector<SilentFile> files = silent_files();
  std::size_t programs = 0, number = 0;
  std::set<std::string> names;
  for (const SilentFile& file : files) {
    std::istringstream lines(file.expected);
    for (std::string line; std::getline(lines, line); ++programs) names.insert(file.name + " " + line);
    if (file.by_hand && std::getenv("SILENT_ONLY") == nullptr && !all) continue;
    for (const std::string& compiler : file.nvcc_alone ? cudalabs::test::installed_compilers()
                                                       : cudalabs::test::compilers_in_turn(number++)) {
      if (file.nvcc_alone && compiler != "nvcc") continue;
      expect_silence(sandbox, file, compiler, {"--check", "all"});
      if (file.name.starts_with("streams"))
        expect_silence(sandbox, file, compiler, {"--shuffle-streams", "1"});
      if (!all) continue;
      expect_silence(sandbox, file, compiler, {"--check", "all", "--engine", "interpreter"});
      for (const char* const engine : {"native", "interpreter"})
        expect_silence(sandbox, file, compiler, {"--engine", engine});
      for (const char* const seed : {"2", "3", "4", "5"}) {
        if (file.name.starts_with("streams"))
          expect_silence(sandbox, file, compiler, {"--check", "all", "--shuffle-streams", seed});
      }
    }
  }
  CHECK(names.size() == programs);  // names in a file are unique
  if (std::getenv("SILENT_ONLY") == nullptr) CHECK(programs >= 300);
}

TEST_CASE("programs of which a line is taken out are told of", "[silent]") {
  if (!cudalabs::test::everything()) {
    WARN("skipped: by hand, with CUDA_LABS_TESTS=all");
    return;
  }
  const struct Broken {
    const char *file, *program, *without;
    int time;  ///< index of the time after the start of the program, from 0
    const char* rule;
  } broken[] = {
      {"reductions", "interleaved", "    __syncthreads();\n", 0, "racecheck"},
      {"reductions", "last_warp", "      __syncwarp();\n", 1, "racecheck"},
      {"reductions", "last_block", "    __threadfence();\n", 0, "racecheck"},
      {"reductions", "by_shuffles", "total.zero()", 0, "initcheck"},
      {"scans", "two_buffers", "    __syncthreads();\n", 0, "racecheck"},
      {"scans", "chained", "      __threadfence();\n", 0, "racecheck"},
      {"counting", "in_shared", "  __syncthreads();\n", 0, "racecheck"},
      {"counting", "by_warp", "  for (int b = lane; b < 256; b += 32) mine[warp][b] = 0;\n", 0, "initcheck"},
      {"sorts", "by_rank", "    __syncthreads();\n", 1, "racecheck"},
      {"matrices", "product_double_buffer", "    __syncthreads();\n", 0, "racecheck"},
      {"graphs", "bfs_in_a_block", "    __syncthreads();\n", 1, "racecheck"},
      {"stencils", "planes", "    __syncthreads();\n", 0, "racecheck"},
      {"hand_over", "ticket_lock", "  __threadfence();\n", 1, "racecheck"},
      {"hand_over", "persistent_blocks", "    __syncthreads();\n", 1, "racecheck"},
      {"asynchronous", "copied_by_threads", "  __pipeline_wait_prior(0);\n", 0, "initcheck"},
      {"asynchronous", "grid_meets", "    grid.sync();\n", 0, "racecheck"},
      {"memory", "three_of_four", "  points[threadIdx.x].z = 0.5f;\n", 0, "initcheck"},
      {"memory", "heap_of_threads", "  free(list);\n", 0, "memcheck"},
      {"streams", "fork_and_join", "  CUDA(cudaStreamWaitEvent(s[3], left, 0));\n", 0, "streamcheck"},
      {"streams", "captured", "    CUDA(cudaStreamSynchronize(s[0]));\n", 0, "streamcheck"},
  };
  for (const Broken& one : broken) {
    INFO(one.file << " " << one.program << " without " << one.without);
    std::string source = read_file(kSilent / (std::string(one.file) + ".cu"));
    std::size_t at = source.find("namespace " + std::string(one.program) + " {");
    for (int k = 0; k <= one.time; ++k) at = source.find(one.without, at + 1);
    REQUIRE(at != std::string::npos);
    // Of `x.zero()` only the call is removed, because `x` may be an argument.
    const std::string line = one.without;
    source.replace(at, line.size(), line.ends_with(".zero()") ? line.substr(0, line.size() - 7) : "");
    const Sandbox sandbox;
    fs::copy_file(kSilent / "silent.cuh", sandbox.work() / "silent.cuh");
    sandbox.write("broken.cu", source);
    const Outcome outcome =
        sandbox.grader({"run", "broken.cu", "--device", "simulator", "--check", "all", "--", one.program});
    INFO(outcome.err);
    CHECK(outcome.status != 0);
    CHECK(outcome.err.find("[" + std::string(one.rule) + "]") != std::string::npos);
  }
}

}  // namespace e2e
