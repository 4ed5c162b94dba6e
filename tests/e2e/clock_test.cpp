// `grader run --clock estimated`: the program's clocks show the estimated time of the GPU
// (tests/programs/clock).

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kClocks = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "clock" / "clocks.cu";

std::map<std::string, double> numbers(const std::string& text) {
  std::map<std::string, double> found;
  std::istringstream lines(text);
  std::string name;
  for (double value = 0; lines >> name >> value;) found[name] = value;
  return found;
}

}  // namespace

TEST_CASE("with the estimated clock every clock shows what events show", "[clock]") {
  const auto choice = GENERATE(cudalabs::CompilerChoice::Nvcc, cudalabs::CompilerChoice::Clang);
  const std::string compiler = cudalabs::test::compiler(choice);
  if (compiler.empty()) return;
  const Sandbox sandbox;
  const Outcome outcome = sandbox.grader({"run", kClocks.string(), "--device", "simulator", "--compiler",
                                          compiler, "--clock", "estimated", "-Xcompiler", "-fopenmp"});
  INFO(compiler << "\n" << outcome.out << outcome.err);
  CHECK(outcome.err == "");
  REQUIRE(outcome.status == 0);
  auto shown = numbers(outcome.out);
  const double events = shown["events"];
  CHECK(events > 1);
  // The host's own work adds a few microseconds, and a busy machine may delay it. On the machine's clock a
  // launch takes some tens of milliseconds.
  const auto about = [&](const char* name, double wanted, double more) {
    INFO(name);
    CHECK(shown[name] >= wanted - 2);
    CHECK(shown[name] < wanted + more);
  };
  for (const char* name : {"clock_gettime", "timespec_get", "gettimeofday", "clock", "steady_clock",
                           "system_clock", "high_resolution_clock", "omp_get_wtime"})
    about(name, events, 1'000);
  CHECK(shown["issue"] < 10'000);
  about("two", 2 * events, 10'000);
  // The GPU worked while the host slept.
  CHECK(shown["beside"] >= 50'000);
  CHECK(shown["beside"] < 50'000 + events + 20'000);
  about("first", events, 10'000);
  about("both", 2 * events, 10'000);
}

TEST_CASE("the real clock is the machine's", "[clock]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.grader({"run", kClocks.string(), "--device", "simulator"});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(numbers(outcome.out)["clock_gettime"] > 100);
  const Outcome wrong = sandbox.grader({"run", kClocks.string(), "--clock", "fast"});
  CHECK(wrong.err == "grader: there is no clock fast\n  hint: the clocks are real and estimated\n");
  CHECK(wrong.status == 2);
}

TEST_CASE("a program that times a kernel by the machine's clock is told of the estimated one once",
          "[clock]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  const Sandbox sandbox;
  // Reads another clock before the launches, as for a seed, and times something of its own after them.
  sandbox.write("program.cu", R"(#include <chrono>
#include <cstdlib>
#include <ctime>
__global__ void work() {}
int main(int count, char**) {
  std::srand(std::time(nullptr));
  const auto begin = std::chrono::steady_clock::now();
  if (count == 2) begin == std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    work<<<1, 32>>>();
    cudaDeviceSynchronize();
    if (count == 1) begin == std::chrono::steady_clock::now();
  }
}
)");
  const auto said = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run",        "program.cu", "--device", "simulator",
                                   "--compiler", compiler,     "-w"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = sandbox.grader(words);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(said({}) ==
        "grader: the program timed a kernel by a clock of the host, which shows the simulator's time; with "
        "`--clock estimated` it shows the card's\n");
  CHECK(said({"-q"}).empty());
  CHECK(said({"--clock", "estimated"}).empty());
  CHECK(said({"--", "before"}).empty());
}

TEST_CASE("the clock of a kernel counts what its loads take", "[clock]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  const std::string engine = GENERATE("interpreter", "native");
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.grader({"run", (kClocks.parent_path() / "latencies.cu").string(), "--device", "simulator",
                      "--compiler", compiler, "--engine", engine});
  INFO(compiler << " " << engine);
  // Uses the latencies of configs/devices/a100.yaml, and one clock per pass.
  CHECK(outcome.out ==
        "KiB 64: 39\nKiB 1024: 261\nKiB 16384: 470\nshared 1: 29\nconflicts by stride 1: 0\n"
        "conflicts by stride 2: 1\nconflicts by stride 8: 7\nconflicts by stride 32: 31\n");
  CHECK(outcome.err == "");
}

}  // namespace e2e
