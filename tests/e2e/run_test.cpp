// `grader run` on whole programs: its counters compared with Nsight Compute's on an H200, and the program's
// own output and exit status.

#include <fstream>
#include <sstream>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/csv.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Row = std::map<std::string, std::string>;

const fs::path kData = CUDALABS_TEST_DATA;

std::vector<Row> read_csv(const fs::path& file) {
  std::ifstream stream(file);
  return csv_rows(stream);
}

}  // namespace

TEST_CASE("counters agree with an H200's", "[run]") {
  const Sandbox sandbox;
  fs::copy_file(kData / "calibration/kernels.cu", sandbox.work() / "kernels.cu");
  const Outcome outcome = sandbox.grader({"run", "kernels.cu", "--counters", "counters.json"});
  INFO("stderr: " << outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out == "done\n");
  CHECK(outcome.left_behind == std::vector<std::string>{});

  const Json launches = Json::parse(read_file(sandbox.work() / "counters.json"));
  const std::vector<Row> measured = read_csv(kData / "calibration/h200.csv");
  REQUIRE(measured.size() == 22);
  REQUIRE(launches.size() == measured.size());
  int compared = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    CHECK(launches[i].at("kernel") == measured[i].at("kernel"));
    for (const auto& [column, value] : measured[i]) {
      if (!column.starts_with("shared_") && !column.starts_with("global_")) continue;
      INFO(measured[i].at("kernel") << " " << column);
      CHECK(launches[i].at(column) == std::stoll(value));
      ++compared;
    }
  }
  CHECK(compared == 22 * 10);
}

TEST_CASE("a program keeps its output, arguments and exit status", "[run]") {
  const Sandbox sandbox;
  sandbox.write("program.cu", R"(
#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
  int host[4] = {1, 2, 3, 4}, *device = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host) std::printf("%d ", value);
  std::printf("%s\n", argc > 2 ? argv[2] : "");
  std::fprintf(stderr, "to stderr\n");
  return 7;
}
)");
  const Outcome outcome = sandbox.grader({"run", "program.cu", "--", "--not-ours", "second argument"});
  INFO("stderr: " << outcome.err);
  CHECK(outcome.out == "2 4 6 8 second argument\n");
  CHECK(outcome.err.find("to stderr") != std::string::npos);
  CHECK(outcome.status == 7);
}

TEST_CASE("a program's bug is reported by its line", "[run]") {
  const Sandbox sandbox;
  const std::string source = R"(
#include <cstdio>
__global__ void past(int* x) {
  x[threadIdx.x + 1] = 1;  // <-- here
}
int main() {
  int* device = nullptr;
  cudaMalloc(&device, 32 * sizeof(int));
  past<<<1, 32>>>(device);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
)";
  sandbox.write("program.cu", source);
  const Outcome outcome = sandbox.grader({"run", "program.cu", "--device", "simulator"});
  INFO("stderr: " << outcome.err);
  CHECK(outcome.out == "cudaErrorIllegalAddress\n");
  CHECK(outcome.err.find("program.cu:" + std::to_string(marked_line(source))) != std::string::npos);
}

TEST_CASE("a failed call that a program does not notice is named at its end", "[run]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  const Sandbox sandbox;
  // The copy is in the last statement of a function, where a compiler could make it a jump.
  const std::string begin = R"(#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
void upload(int* to, int* from) {
  cudaMemcpy(from, to,
             4 * sizeof(int), cudaMemcpyHostToDevice);
}
int main() {
  int host[4] = {1, 2, 3, 4}, *device = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemset(device, 0, sizeof host);
  upload(device, host);
  twice<<<1, 2048>>>(device);
)";
  const std::string end = R"(
  std::printf("%d\n", host[0]);
  return 5;
}
)";
  const std::string copy =
      "grader: program.cu:4: cudaMemcpy failed, and the program does not look at its result: "
      "cudaErrorInvalidValue, a pointer does not match the cudaMemcpyKind\n";
  const std::string launch =
      "grader: program.cu:12: a kernel was not launched: cudaErrorInvalidValue, kernel twice: a block of "
      "(2048, 1, 1) threads exceeds the limit of 1024 threads in all\n";
  const auto run = [&](const std::string& middle, std::vector<std::string> more = {}) {
    sandbox.write("program.cu", begin + middle + end);
    std::vector<std::string> words{"run", "program.cu", "--compiler", compiler, "--device", "simulator"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = sandbox.grader(words);
    INFO(middle);
    CHECK(outcome.out.ends_with("1\n"));  // garbage or not: the program's own output
    CHECK(outcome.status == 5);
    return outcome.err;
  };
  CHECK(run("") == copy + launch +
                       "  hint: Compare the result of each call with cudaSuccess; after a launch, ask "
                       "cudaGetLastError().\n");
  CHECK(run("", {"-q"}).empty());
  // A program that asks has noticed. Launches are named all the same, for their reason.
  CHECK(run("  cudaGetLastError();") == launch);
  CHECK(run("  cudaPeekAtLastError();") == launch);
  CHECK(run("  std::printf(\"%s\\n\", cudaGetErrorString(cudaErrorInvalidValue));") ==
        copy + launch +
            "  hint: Compare the result of each call with cudaSuccess; after a launch, ask "
            "cudaGetLastError().\n");
}

TEST_CASE("a call whose result is used is the program's own business", "[run]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  const Sandbox sandbox;
  sandbox.write("program.cu", R"(#include <cstdio>
#define CHECK(call) if (cudaError_t e = (call)) std::printf("%s\n", cudaGetErrorString(e))
#define TRY(call) call
int main() {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, std::size_t(1) << 50));
  const cudaError_t e = cudaMalloc(&p, std::size_t(1) << 50);
  if (cudaFree(&p) == cudaSuccess) return 1;
  (void)cudaFree(&p);
  TRY(cudaFree(&p));
  std::printf("%d\n", e != cudaSuccess);
}
)");
  const Outcome outcome =
      sandbox.grader({"run", "program.cu", "--compiler", compiler, "--device", "simulator"});
  CHECK(outcome.out == "out of memory\n1\n");
  CHECK(outcome.err.empty());
  CHECK(outcome.status == 0);
}

TEST_CASE("a program that does not compile is a usage error", "[run]") {
  const Sandbox sandbox;
  sandbox.write("program.cu", "int main() { return nothing; }\n");
  const Outcome outcome = sandbox.grader({"run", "program.cu"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("nothing") != std::string::npos);
  CHECK(sandbox.grader({"run", "missing.cu"}).status == 2);
}

}  // namespace e2e
