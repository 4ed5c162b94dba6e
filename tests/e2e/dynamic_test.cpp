// Kernels that launch kernels, through `grader run`. clang does not support such launches. The programs are
// in tests/programs/dynamic.

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kDynamic = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "dynamic";

Outcome run_dynamic(const Sandbox& sandbox, std::vector<std::string> words,
                    std::vector<std::string> arguments = {}) {
  fs::copy(kDynamic, sandbox.work(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  words.insert(words.begin(), {"run", "-rdc=true", "--device", "simulator", "--compiler", "nvcc"});
  if (!arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), arguments.begin(), arguments.end());
  return sandbox.grader(words);
}

bool there_is_nvcc() { return !cudalabs::test::compiler(cudalabs::CompilerChoice::Nvcc).empty(); }

}  // namespace

TEST_CASE("kernels launch kernels, in the order that CUDA promises", "[dynamic]") {
  if (!there_is_nvcc()) return;
  const Sandbox sandbox;
  for (const char* engine : {"interpreter", "native"}) {
    const Outcome outcome =
        run_dynamic(sandbox, {"streams.cu", "elsewhere.cu", "-lcudadevrt", "--engine", engine});
    INFO(outcome.err);
    CHECK(outcome.out ==
          "device 0 of 1: 0 0 0, no error\n"
          "cudaErrorInvalidConfiguration, invalid configuration argument, then cudaSuccess\n"
          "1 2 3 4 5 6 7 \nvalues 0x3030303 0x3030303\n");
    CHECK(outcome.err ==
          "grader: a kernel was not launched: cudaErrorInvalidConfiguration, kernel add: a block of (2048, "
          "1, 1) threads exceeds the limit of 1024 threads in all\n");
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("quicksort by kernels that launch themselves", "[dynamic]") {
  if (!there_is_nvcc()) return;
  const Sandbox sandbox;
  for (const char* engine : {"interpreter", "native"}) {
    const Outcome outcome = run_dynamic(sandbox, {"quicksort.cu", "--engine", engine, "--check",
                                                  "memcheck,racecheck", "--counters", "c.json"});
    INFO(outcome.err);
    CHECK(outcome.out == "sorted, no error\n");
    CHECK(outcome.err.empty());
    CHECK(outcome.status == 0);
    // The list of launches contains each launch by a kernel.
    const auto counters = nlohmann::json::parse(read_file(sandbox.work() / "c.json"));
    CHECK(counters.size() > 200);
  }
}

TEST_CASE("the limits of launches by kernels are told", "[dynamic]") {
  if (!there_is_nvcc()) return;
  const Sandbox sandbox;
  const std::string refused = "grader: a kernel was not launched: ";
  const Outcome deep = run_dynamic(sandbox, {"limits.cu"}, {"d"});
  CHECK(deep.out == "2048 cudaSuccess\n");
  CHECK(
      deep.err ==
      refused +
          "cudaErrorLaunchPendingCountExceeded, kernel deeper(int*, int) would nest launches 2049 deep, and "
          "the limit is 2048; cudaDeviceSetLimit() with cudaLimitDevRuntimePendingLaunchCount raises it\n");
  const Outcome many = run_dynamic(sandbox, {"limits.cu"}, {"m"});
  CHECK(many.out == "cudaErrorLaunchPendingCountExceeded\n65536 cudaSuccess\n");
  CHECK(many.err == refused +
                        "cudaErrorLaunchPendingCountExceeded, kernel child(int*) would exceed the limit of "
                        "65536 pending launches of one grid; cudaDeviceSetLimit() with "
                        "cudaLimitDevRuntimePendingLaunchCount raises it\n");
  CHECK(run_dynamic(sandbox, {"limits.cu"}, {"l"}).out == "cudaSuccess\n65600 cudaSuccess\n");
  // A tail launch replaces its parent.
  CHECK(run_dynamic(sandbox, {"limits.cu"}, {"c"}).out == "100 cudaSuccess\n");
}

TEST_CASE("a fault in a kernel that a kernel launched is told with its line", "[dynamic]") {
  if (!there_is_nvcc()) return;
  const Sandbox sandbox;
  const Outcome outcome = run_dynamic(sandbox, {"limits.cu"}, {"w"});
  const int line = marked_line(read_file(kDynamic / "limits.cu"));
  CHECK(outcome.err.find("limits.cu:" + std::to_string(line) + ": ") != std::string::npos);
  CHECK(outcome.err.find("kernel past(int*)") != std::string::npos);
  CHECK(outcome.out == "0 cudaErrorIllegalAddress\n");
  CHECK(outcome.status == 1);
}

}  // namespace e2e
