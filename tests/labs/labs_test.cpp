// The labs are fair: right solutions of every sensible form pass (tests/labs/right). $LABS_ONLY selects a lab
// or lab/variant.

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/everything.h"
#include "tests/harness/grader.h"
#include "tests/labs/gradings.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kRoot = CUDALABS_SOURCE, kData = CUDALABS_TEST_DATA;

Json graded(const std::string& slug, const std::string& source) {
  static Gradings gradings;
  return gradings.grade(slug, source);
}

/// All answers of each must be right; a line `// loses: VERSION PART` names the points that it may lose
/// besides speed.
void check_alternatives(const std::string& lab) {
  for (const auto& [slug, name, source] : read_alternatives(kData, lab)) {
    if (!chosen(slug)) continue;
    DYNAMIC_SECTION(slug << " " << name) {
      const Json result = graded(slug, source);
      keep_result(slug + " right " + name, result);
      for (const Json& version : result.at("versions")) {
        INFO(version.dump(1).substr(0, 3000));
        CHECK(version.at("verdict") == "accepted");
        CHECK(all_right(version));
        for (const Json& lost : version.at("lost")) {
          const std::string part = lost.at("part");
          INFO("lost: " << part);
          const std::string allowed = "// loses: " + version.at("name").get<std::string>() + " " + part;
          CHECK((part == "speed" || source.find(allowed) != std::string::npos));
        }
      }
    }
  }
}

TEST_CASE("bugs and right solutions of every lab have their tests", "[new_lab]") {
  const std::set<std::string> tested{"lab1", "lab2", "lab3", "lab4", "lab5"};  // as below
  for (const auto& lab : fs::directory_iterator(fs::path(CUDALABS_SOURCE) / "configs/labs")) {
    INFO("add its test cases here and in mutants_test.cpp, and their tags in tests/CMakeLists.txt");
    CHECK(tested.contains(lab.path().filename().string()));
  }
}

TEST_CASE("lab1 takes every right solution", "[right1]") { check_alternatives("lab1"); }
TEST_CASE("lab2 takes every right solution", "[right2]") { check_alternatives("lab2"); }
TEST_CASE("lab3 takes every right solution", "[right3]") { check_alternatives("lab3"); }
TEST_CASE("lab4 takes every right solution", "[right4]") { check_alternatives("lab4"); }
TEST_CASE("lab5 takes every right solution", "[right5]") { check_alternatives("lab5"); }

TEST_CASE("a transpose that copies make is no kernel's work", "[right2]") {
  const std::string source = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void token() {}
__global__ void elsewhere(float* scratch, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) scratch[i] = 1;
}
static void by_copies(const float* a, float* out, int n) {
  for (size_t column = 0; column < n; ++column)
    cudaMemcpy2D(out + column * n, 4, a + column, n * 4, 4, n, cudaMemcpyDeviceToDevice);
}
void transpose_global(const float* a, float* out, int n) {
  by_copies(a, out, n);
  token<<<1, 1>>>();
}
void transpose_shared(const float* a, float* out, int n) {
  if (n == 0) return;
  float* scratch = nullptr;
  cudaMalloc(&scratch, n * n * sizeof(float));
  elsewhere<<<(n * n + 255) / 256, 256>>>(scratch, n * n);
  by_copies(a, out, n);
  cudaFree(scratch);
}
void transpose_padded(const float* a, float* out, int n) {
  if (n == 0) return;
  float *scratch = nullptr, *copied = nullptr;
  cudaMalloc(&scratch, n * n * sizeof(float));
  cudaMalloc(&copied, n * n * sizeof(float));
  elsewhere<<<(n * n + 255) / 256, 256>>>(scratch, n * n);
  by_copies(a, copied, n);
  cudaMemcpy(out, copied, n * n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
  cudaFree(copied);
}
)";
  const Json result = graded("lab2/variant1", source);
  REQUIRE(result.at("versions").size() == 3);
  for (const Json& version : result.at("versions")) {
    INFO(version.dump(1).substr(0, 3000));
    CHECK(version.at("verdict") == "rule_violation");
    CHECK(version.at("points") == 0);
    CHECK(version.at("lost").at(0).at("reason").get<std::string>().starts_with(
        "not computed by kernels: in n="));
  }
}

TEST_CASE("constant memory that is read for show loses its points", "[right1]") {
  const Mutant show{"lab1/variant1",
                    1,
                    {{"table_constant_kernel(float* y, int n) {",
                      "table_constant_kernel(const float* grid, float* y, int n) {"},
                     {"value(constant_grid[0], constant_grid[1], i)",
                      "value(grid[0], grid[1], i) + "
                      "((constant_grid[0] == 12345.0f) & (constant_grid[1] == 54321.0f) ? 1.0f : 0.0f)"},
                     {">>>(y, n);", ">>>(grid, y, n);"}},
                    {},
                    {}};
  const Json result =
      graded(show.slug, edited(read_file(only_source(kRoot / "reference" / show.slug)), show));
  const Json& version = result.at("versions").at(1);
  INFO(version.dump(1).substr(0, 3000));
  REQUIRE(version.at("name") == "constant");
  CHECK(all_right(version));
  REQUIRE(!version.at("lost").empty());
  CHECK(version.at("lost").at(0).at("part") == "structure.uses_constant_memory");
  CHECK(version.at("lost").at(0).at("reason").get<std::string>().find(
            "results bypass constant memory: a result depends on 2 elements from there") == 0);
}

TEST_CASE("one kernel with atomics is none of lab5's five algorithms", "[right5]") {
  const std::string source = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
template <int kThreads>
__global__ void add_all(const float* x, float* out, int n) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  atomicAdd(out, part[kThreads - 1 - t]);
}
template <int kThreads>
static void sum(const float* x, float* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) add_all<kThreads><<<(n + kThreads - 1) / kThreads, kThreads>>>(x, out, n);
}
void sum_interleaved(const float* x, float* out, int n) { sum<64>(x, out, n); }
void sum_sequential(const float* x, float* out, int n) { sum<128>(x, out, n); }
void sum_unrolled(const float* x, float* out, int n) { sum<256>(x, out, n); }
void sum_grid_stride(const float* x, float* out, int n) { sum<512>(x, out, n); }
void sum_shuffle(const float* x, float* out, int n) { sum<1024>(x, out, n); }
)";
  const std::map<std::string, std::string> why = {
      {"interleaved",
       "not what `interleaved` requires: threads combine partial results by atomic operations"},
      {"sequential", "`sequential` launches the same kernels as `interleaved` under another name"},
      {"unrolled", "`unrolled` runs the same kernels as `interleaved`"},  // its last block is not full
      {"grid_stride", "`grid_stride` runs the same kernels as `interleaved`"},
      {"shuffle", "`shuffle` runs the same kernels as `interleaved`"}};
  const Json result = graded("lab5/variant2", source);
  REQUIRE(result.at("versions").size() == why.size());
  for (const Json& version : result.at("versions")) {
    INFO(version.dump(1).substr(0, 3000));
    CHECK(all_right(version));
    CHECK(version.at("points") == version.at("correctness").at("points"));
    CHECK(version.at("lost").at(0).at("reason").get<std::string>().starts_with(why.at(version.at("name"))));
  }
}

TEST_CASE("one tree is none of lab5's other algorithms, whatever its tile", "[right5]") {
  const std::string source = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
template <int kMore>
__global__ void tree(const float* x, float* out, int n) {
  __shared__ float part[256 + kMore];
  const int t = threadIdx.x;
  const long long i = static_cast<long long>(blockIdx.x) * 512 + t;
  part[t] = (i < n ? x[i] : 0.0f) + (i + 256 < n ? x[i + 256] : 0.0f);
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) part[t] += part[t + step];
    __syncwarp();
  }
  if (t == 0) atomicAdd(out, part[0]);
  if (n == -kMore) out[0] = 1;
}
template <int kMore>
static void sum(const float* x, float* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) tree<kMore><<<(n + 511) / 512, 256>>>(x, out, n);
}
void sum_interleaved(const float* x, float* out, int n) { sum<8>(x, out, n); }
void sum_sequential(const float* x, float* out, int n) { sum<16>(x, out, n); }
void sum_unrolled(const float* x, float* out, int n) { sum<24>(x, out, n); }
void sum_grid_stride(const float* x, float* out, int n) { sum<32>(x, out, n); }
void sum_shuffle(const float* x, float* out, int n) { sum<40>(x, out, n); }
)";
  const Json result = graded("lab5/variant2", source);
  for (const Json& version : result.at("versions")) {
    INFO(version.dump(1).substr(0, 3000));
    CHECK(all_right(version));
    CHECK(version.at("points") == version.at("correctness").at("points"));
    const auto reason = version.at("lost").at(0).at("reason").get<std::string>();
    if (version.at("name") == "interleaved")
      CHECK(reason.find("the first round combines neighbours") != std::string::npos);
    else
      CHECK(reason.find("same kernels as `interleaved`") != std::string::npos);
  }
}

TEST_CASE("several results a thread that share nothing are not lab4's ilp", "[right4]") {
  const std::string source = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= static_cast<long long>(m) * n) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += a[i / n * k + j] * b[static_cast<long long>(j) * n + i % n];
  c[i] = sum;
}
void matmul_global(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long count = static_cast<long long>(m) * n;
  if (count > 0) naive<<<static_cast<unsigned>((count + 255) / 256), 256>>>(a, b, c, m, n, k);
}
void matmul_shared(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_global(a, b, c, m, n, k);
}
__global__ void one_by_one(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float rows[16][17], columns[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
#pragma unroll 1
  for (int part = 0; part < 2; ++part) {
    const int row = blockIdx.y * 16 + y, column = (blockIdx.x * 2 + part) * 16 + x;
    float sum = 0;
    for (int start = 0; start < k; start += 16) {
      __syncthreads();
      rows[y][x] = row < m && start + x < k ? a[static_cast<size_t>(row) * k + start + x] : 0;
      columns[y][x] = start + y < k && column < n ? b[static_cast<size_t>(start + y) * n + column] : 0;
      __syncthreads();
      for (int i = 0; i < 16; ++i) sum += rows[y][i] * columns[i][x];
    }
    if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
  }
}
void matmul_ilp(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) one_by_one<<<dim3((n + 31) / 32, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
)";
  const Json result = graded("lab4/variant1", source);
  const Json& ilp = result.at("versions").at(2);
  INFO(ilp.dump(1).substr(0, 3000));
  CHECK(all_right(ilp));
  CHECK(ilp.at("points") == ilp.at("correctness").at("points"));
  CHECK(ilp.at("lost").at(0).at("reason").get<std::string>().starts_with(
      "not what `ilp` requires: every factor of a product is loaded 1."));
}

TEST_CASE("lab5's algorithms are known in other forms", "[right5]") {
  // A block of two warps whose last rounds are shuffles; a warp whose lanes combine sums by redux.
  const std::string source = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__device__ void add(long long* out, long long v) { atomicAdd((unsigned long long*)out, (unsigned long long)v); }
__global__ void two_warps(const int* x, long long* out, int n) {
  __shared__ long long part[64];
  const int t = threadIdx.x;
  const long long i = blockIdx.x * 128ll + t;
  part[t] = (i < n ? x[i] : 0ll) + (i + 64 < n ? x[i + 64] : 0ll);
  __syncthreads();
  if (t >= 32) return;
  long long v = part[t] + part[t + 32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t == 0) add(out, v);
}
__global__ void redux(const int* x, long long* out, int n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  const int v = i < n ? x[i] : 0;
  const unsigned low = __reduce_add_sync(~0u, v & 0xffffu);  // in two halves, which cannot overflow
  const int high = __reduce_add_sync(~0u, v >> 16);
  if (threadIdx.x % 32 == 0) add(out, high * 65536ll + low);
}
void sum_interleaved(const int*, long long*, int) {}
void sum_sequential(const int*, long long*, int) {}
void sum_grid_stride(const int*, long long*, int) {}
void sum_unrolled(const int* x, long long* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) two_warps<<<(n + 127) / 128, 64>>>(x, out, n);
}
void sum_shuffle(const int* x, long long* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) redux<<<(n + 255) / 256, 256>>>(x, out, n);
}
)";
  const Json result = graded("lab5/variant1", source);
  for (const std::size_t index : {std::size_t{2}, std::size_t{4}}) {
    const Json& version = result.at("versions").at(index);
    INFO(version.dump(1).substr(0, 3000));
    CHECK(all_right(version));
    for (const Json& part : version.at("structure")) CHECK(part.at("satisfied") == true);
    CHECK(version.dump().find("not what") == std::string::npos);
  }
}

/// Runs check-labs for one variant on a copy of the course that `spoil` changes, without its large cases, and
/// checks its exit status and output.
void check_spoiled(const std::string& wanted, const std::function<void(const fs::path& course)>& spoil,
                   const std::string& lab = "lab1", const std::string& variant = "variant1") {
  const Sandbox sandbox;
  fs::remove(sandbox.course() / "labs" / lab / variant / "planted.yaml");  // a grading for each entry
  without_large_cases(sandbox.course(), lab + "/" + variant, lab == "lab1" ? 68000 : 0);
  spoil(sandbox.course());
  const Outcome outcome = sandbox.grader({"check-labs", lab, variant});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == (wanted.empty() ? 0 : 1));
  CHECK(outcome.out.find(wanted) != std::string::npos);
  CHECK(outcome.out.find(wanted.empty() ? "1 of 1 variant are right" : "0 of 1 variant are right") !=
        std::string::npos);
}

const fs::path kOracle = "labs/lab1/variant1/oracle.cpp", kHandout = "labs/lab1/variant1/handout.md",
               kReference = "reference/lab1/variant1/table.cu",
               kStub = "student_templates/lab1/variant1/table.cu",
               kConfig = "configs/labs/lab1/variant1.yaml", kContract = "labs/lab1/variant1/contract.cuh";

TEST_CASE("check-labs finds what is wrong with a lab", "[check_labs]") {
  SECTION("nothing") {
    check_spoiled("", [](const fs::path&) {});
  }
  SECTION("the reference is wrong") {
    check_spoiled("the reference loses",
                  [](const fs::path& course) { replace_in(course / kReference, "sqrtf(", "("); });
  }
  SECTION("the stub holds the solution") {
    check_spoiled("the untouched stub earns", [](const fs::path& course) {
      fs::copy_file(course / kReference, course / kStub, fs::copy_options::overwrite_existing);
    });
  }
  SECTION("the stub does not compile clean") {
    check_spoiled("the compiler warns about the stub", [](const fs::path& course) {
      replace_in(course / kStub, "(void)grid", "int unused;\n  (void)grid");
    });
  }
  SECTION("the points are other ones than the handout's") {
    check_spoiled(
        "90 points\n  - handout.md gives `global` 50, configs gives it 40",
        [](const fs::path& course) { replace_in(course / kConfig, "speed_points: 10", "speed_points: 0"); });
  }
  SECTION("the contract has another parameter") {
    check_spoiled("disagree about table_global", [](const fs::path& course) {
      replace_in(course / kContract, "table_global(const float* grid, float* y, int n)",
                 "table_global(const float* grid, float* y, long long n)");
    });
  }
  SECTION("a file is missing") {
    check_spoiled("the oracle is missing",
                  [](const fs::path& course) { fs::remove(course / "labs/lab1/variant1/oracle.cpp"); });
  }
  SECTION("the CPU program is wrong") {
    check_spoiled("baseline() in oracle.cpp disagrees with oracle() for n=", [](const fs::path& course) {
      replace_in(course / kOracle, "extern \"C\" void baseline(const OracleCall* call) {",
                 "extern \"C\" void baseline(const OracleCall*) {}\nvoid unused(const OracleCall* call) {");
    });
  }
  SECTION("the oracle leaves an element out, or adds to it") {
    const std::string assign = GENERATE("= last;", "+= last;");
    check_spoiled("oracle() in oracle.cpp does not set all of `values` for n=", [&](const fs::path& course) {
      replace_in(course / kOracle, "extern \"C\" void oracle(const OracleCall* call) {",
                 "void whole(const OracleCall* call);\n"
                 "extern \"C\" void oracle(const OracleCall* call) {\n"
                 "  if (call->expected[0].count == 0) return;\n"
                 "  const double last = call->expected[0].values[call->expected[0].count - 1];\n"
                 "  whole(call);\n"
                 "  call->expected[0].values[call->expected[0].count - 1] " +
                     assign +
                     "\n}\n"
                     "void whole(const OracleCall* call) {");
    });
  }
  SECTION("a usual mistake is none") {
    check_spoiled("usual_mistake() in oracle.cpp calls the right answer a mistake, in every case",
                  [](const fs::path& course) {
                    replace_in(course / kOracle, "extern \"C\" const char* usual_mistake(",
                               "extern \"C\" const char* usual_mistake(const OracleCall* call, int which) {\n"
                               "  oracle(call);\n  return which == 0 ? \"nothing at all\" : nullptr;\n}\n"
                               "const char* unused(");
                  });
  }
  SECTION("a handout promises other points") {
    check_spoiled("handout.md lists ", [](const fs::path& course) {
      replace_in(course / kHandout, "| every answer is right | ", "| every answer is right | 1");
    });
  }
  SECTION("a handout gives a version other points") {
    check_spoiled("handout.md gives `global` ", [](const fs::path& course) {
      const fs::path file = course / kHandout;
      std::string text = read_file(file);
      const std::size_t row = text.find("| `global` |"), end = text.find(" |\n", row);
      REQUIRE((row != std::string::npos && end != std::string::npos));
      std::ofstream(file) << text.insert(end, "0");
    });
  }
  SECTION("a handout declares a function otherwise") {
    check_spoiled("handout.md declares table_global otherwise than contract.cuh", [](const fs::path& course) {
      replace_in(course / kHandout, "float* y, int n);", "float* y);");
    });
  }
  SECTION("a handout does not name a function") {
    check_spoiled("handout.ru.md does not name table_global", [](const fs::path& course) {
      std::ofstream(course / "labs/lab1/variant1/handout.ru.md") << "table_constant\n";
    });
  }
}

TEST_CASE("check-labs finds a timed case behind whose tolerance elements can hide", "[check_labs]") {
  const auto timed = [](const std::string& slug, const std::string& from, const std::string& to) {
    return [=](const fs::path& course) { replace_in(course / "configs/labs" / (slug + ".yaml"), from, to); };
  };
  SECTION("a sum of random numbers") {
    check_spoiled("that x[0] is left out: its distribution should be exact_sums",
                  timed("lab5/variant2", "timed: {n: 1200000, distribution: exact_sums",
                        "timed: {n: 1200000, distribution: uniform"),
                  "lab5", "variant2");
  }
  SECTION("integers that are too much alike") {
    check_spoiled("] is taken twice and x[",
                  timed("lab5/variant1", "timed: {n: 1200000, distribution: uniform",
                        "timed: {n: 1200000, distribution: constant"),
                  "lab5", "variant1");
  }
  SECTION("a product") {
    check_spoiled("nobody sees in the timed case, n=1000000 uniform (seed ",
                  timed("lab3/variant1", "timed: {n: 1000000, distribution: exact_sums",
                        "timed: {n: 1000000, distribution: uniform"),
                  "lab3", "variant1");
  }
}

TEST_CASE("a configuration that names another type than the contract ends in a sentence", "[check_labs]") {
  check_spoiled("the contract and the lab's configuration disagree about table_global",
                [](const fs::path& course) {
                  replace_in(course / kConfig, "name: y, role: output, type: float",
                             "name: y, role: output, type: double");
                });
}

/// Submissions do not get matrices of both extremes, which are slow on a simulator. The time is not checked.
TEST_CASE("references are right for a million rows and for a million columns", "[extremes]") {
  const Sandbox sandbox;
  replace_in(sandbox.course() / "configs/grading.yaml", "call_seconds: 4",
             "call_seconds: 200\n  submission_seconds: 3000");
  for (const std::string slug : {"lab2/variant2", "lab3/variant2", "lab3/variant3", "lab3/variant4",
                                 "lab3/variant5", "lab3/variant6", "lab3/variant7"}) {
    const fs::path config = sandbox.course() / "configs/labs" / (slug + ".yaml");
    std::string text = read_file(config);
    const std::size_t begin = text.find("\ncases:"), end = text.find("\ntimed:");
    REQUIRE((begin != std::string::npos && end != std::string::npos));
    text.replace(begin, end - begin,
                 "\ncases:\n  - {rows: 1000000, cols: 1, criterion: many}\n"
                 "  - {rows: 1, cols: 1000000, criterion: long}\n");
    std::ofstream(config) << text;
    const std::size_t slash = slug.find('/');
    const Outcome outcome = sandbox.grader({slug.substr(0, slash), slug.substr(slash + 1), "--submission",
                                            only_source(kRoot / "reference" / slug).string(), "--json", "-"});
    INFO(slug << "\n" << outcome.err << outcome.out.substr(0, 3000));
    REQUIRE(Json::accept(outcome.out));
    const Json card = Json::parse(outcome.out);
    for (const Json& version : card.at("versions")) {
      CHECK(version.at("verdict") == "accepted");
      CHECK(all_right(version));
    }
  }
}

/// The files of `grader new-lab lab6 variant1 --entry smooth`, by the name of their completed version in
/// tests/labs/new_lab.
const std::map<std::string, std::string> kNewLab = {
    {"variant.yaml", "configs/labs/lab6/variant1.yaml"},
    {"contract.cuh", "labs/lab6/variant1/contract.cuh"},
    {"oracle.cpp", "labs/lab6/variant1/oracle.cpp"},
    {"handout.md", "labs/lab6/variant1/handout.md"},
    {"handout.ru.md", "labs/lab6/variant1/handout.ru.md"},
    {"stub.cu", "student_templates/lab6/variant1/smooth.cu"},
    {"reference.cu", "reference/lab6/variant1/smooth.cu"},
};

TEST_CASE("a lab is added by filling in a skeleton", "[new_lab]") {
  const Sandbox sandbox;
  const fs::path& course = sandbox.course();
  const Outcome made = sandbox.grader({"new-lab", "lab6", "variant1", "--entry", "smooth"});
  INFO(made.out << made.err);
  REQUIRE(made.status == 0);
  for (const auto& [name, place] : kNewLab) {
    CHECK(made.out.find("made " + (course / place).string() + "\n") != std::string::npos);
    REQUIRE(fs::is_regular_file(course / place));
    CHECK(read_file(course / place).find('@') == std::string::npos);
  }

  const auto check = [&] { return sandbox.grader({"check-labs", "lab6", "variant1"}); };
  const Outcome skeleton = check();
  INFO(skeleton.out << skeleton.err);
  CHECK(skeleton.status == 1);
  for (const auto& [name, place] : kNewLab) {
    const bool told =
        skeleton.out.find("a TODO is left: " + (course / place).string() + ":") != std::string::npos;
    CHECK(told == (name != "stub.cu"));
  }
  // Only the TODOs are reported: the skeleton compiles and gives its expected results.
  std::istringstream lines(skeleton.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  - ")) CHECK(line.starts_with("  - a TODO is left: "));
  }

  for (const auto& [name, place] : kNewLab)
    fs::copy_file(fs::path(CUDALABS_TEST_DATA) / "new_lab" / name, course / place,
                  fs::copy_options::overwrite_existing);
  const Outcome filled = check();
  INFO(filled.out << filled.err);
  CHECK(filled.status == 0);
  CHECK(filled.out.find("1 of 1 variant are right") != std::string::npos);
  CHECK(sandbox.grader({"list"}).out.find("Sum of five neighbours") != std::string::npos);

  // Existing files are never overwritten.
  const Outcome again = sandbox.grader({"new-lab", "lab6", "variant1", "--entry", "other"});
  CHECK(again.status == 2);
  CHECK(again.out.empty());
  CHECK(again.err.find("configs/labs/lab6/variant1.yaml already exists") != std::string::npos);
  CHECK_FALSE(fs::exists(course / "reference/lab6/variant1/other.cu"));
}

TEST_CASE("names that no lab can have are refused", "[new_lab]") {
  const Sandbox sandbox;
  const fs::path& course = sandbox.course();
  for (const auto& [lab, variant, entry] :
       std::vector<std::array<std::string, 3>>{{"", "", "smooth"},
                                               {"lab6", "", "smooth"},
                                               {"../lab6", "variant1", "smooth"},
                                               {"lab6", "a/b", "smooth"},
                                               {"Lab6", "variant1", "smooth"},
                                               {"lab6", "variant1", "2fast"},
                                               {"lab6", "variant1", ""},
                                               {"lab6", "variant1", "a b"},
                                               {"run", "variant1", "smooth"}}) {
    const Outcome outcome = sandbox.grader({"new-lab", lab, variant, "--entry", entry});
    INFO(lab << "|" << variant << "|" << entry << "\n" << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("grader: ") == 0);
    CHECK_FALSE(fs::exists(course / "configs/labs/lab6"));
  }
}

}  // namespace
}  // namespace e2e
