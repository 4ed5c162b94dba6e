// Many gradings on one GradingContext: none affects the next.

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "grader/course/cache.h"
#include "grader/grading/check_lab.h"
#include "grader/grading/grade.h"
#include "grader/grading/run_under.h"
#include "grader/grading/trace.h"
#include "grader/present/formats/json.h"
#include "tests/harness/catch.h"
#include "tests/harness/device_process.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const Course kCourse{CUDALABS_SOURCE};
const fs::path kHostile = fs::path(CUDALABS_SOURCE) / "tests" / "hostile";

const Progress kQuiet = [](const Message&) {};

std::unique_ptr<GradingContext> new_bench(const std::string& card = std::string(kDefaultProfile)) {
  auto profile = load_device_profile(kCourse, card);
  REQUIRE(profile);
  auto context = GradingContext::open(kCourse, "lab3", "variant4", {DeviceChoice::Simulator, *profile});
  REQUIRE(context);
  return std::move(*context);
}

/// Uses an empty cache during its lifetime.
class CacheOfItsOwn {
 public:
  CacheOfItsOwn() { ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1); }
  ~CacheOfItsOwn() {
    fs::remove_all(folder_);
    before_.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);
  }
  CacheOfItsOwn(const CacheOfItsOwn&) = delete;
  CacheOfItsOwn& operator=(const CacheOfItsOwn&) = delete;
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  const fs::path folder_ = fs::path(CUDALABS_BIN).parent_path() / "bench-test-cache";
  const std::string before_ = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
};

GradeJob reference_of(const GradingContext& context, std::uint64_t seed = 7,
                      const std::vector<std::string>& versions = {}) {
  auto job = prepare(context, {context.lab().reference, versions, seed});
  REQUIRE(job);
  return std::move(*job);
}

/// A submission that uses parts of tests/hostile/good.cuh, a solution of lab3 variant4.
GradeJob made_of(const GradingContext& context, const std::string& source) {
  GradeJob job = reference_of(context);
  const auto good = read_file(kHostile / "good.cuh", kMaxSourceBytes);
  REQUIRE(good);
  job.submission.source.content = "#include \"good.cuh\"\n" + source;
  job.submission.headers = {{"good.cuh", *good}};
  return job;
}

/// The result of a grading, without what differs from run to run.
Json said(GradingContext& context, const GradeJob& job, const Progress& progress = kQuiet) {
  const auto result = grade(context, job, progress);
  INFO((result ? std::string() : result.problem().text()));
  REQUIRE(result);
  Json document = Json::parse(json_report(*result));
  REQUIRE(document.erase("nondeterministic") == 1);
  return document;
}

std::vector<std::string> verdicts(const Json& document) {
  std::vector<std::string> all;
  for (const Json& version : document.at("versions")) all.push_back(version.at("verdict"));
  return all;
}

/// Kills every device process of this test and returns their number.
int kill_devices() {
  int killed = 0;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) {
      std::ifstream stream("/proc/" + std::to_string(child) + "/cmdline");
      const std::string words{std::istreambuf_iterator<char>(stream), {}};
      if (words.find("__device") == std::string::npos) continue;
      REQUIRE(::kill(child, SIGKILL) == 0);
      ++killed;
    }
  }
  return killed;
}

/// Its first version scans the device's addresses, allocates all memory and crashes. The second's kernel
/// faults. The third leaks memory.
constexpr const char* kHostileSource = R"(
__global__ void far_away(float* out) { out[1 << 28] = 1; }
ENTRY(global) {
  void* block = nullptr;
  for (int i = 0; i < 200; ++i) {
    cudaMalloc(&block, 4096 * (i + 1));
    cudaFree(block);
  }
  while (cudaMalloc(&block, 64 << 20) == cudaSuccess) {
  }
  *static_cast<volatile int*>(nullptr) = 1;
}
ENTRY(shared) { far_away<<<1, 1>>>(out); }
ENTRY(padded) {
  void* block = nullptr;
  cudaMalloc(&block, 1000);
  good::row_max_padded(a, out, rows, cols);
}
)";

}  // namespace

TEST_CASE("a grading is the same as a bench's first, its third and another bench's second") {
  const auto context = new_bench();
  const Json first = said(*context, reference_of(*context));
  CHECK(first.at("score").at("points") == 100);
  const GradeJob hostile = made_of(*context, kHostileSource);
  const Json spoilt = said(*context, hostile);
  CHECK(verdicts(spoilt) == std::vector<std::string>{"runtime_error", "runtime_error", "accepted"});
  const Json third = said(*context, reference_of(*context));
  CHECK(third.dump(1) == first.dump(1));
  CHECK(said(*context, hostile).dump(1) == spoilt.dump(1));

  const auto other = new_bench();
  CHECK(said(*other, hostile).dump(1) == spoilt.dump(1));
  CHECK(said(*other, reference_of(*other)).dump(1) == first.dump(1));
}

TEST_CASE("what is right in a program's first call alone earns the same whatever the seed") {
  const auto context = new_bench();
  GradeJob job = made_of(*context, R"(
__global__ void spoil(float* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] += 1;
}
ENTRY(global) {
  static int calls = 0;
  if (rows == 0) return;
  good::row_max_global(a, out, rows, cols);
  if (calls++ > 0) spoil<<<(rows + 255) / 256, 256>>>(out, rows);
}
)");
  job.versions = {"global"};
  std::set<double> points;
  for (job.seed = 1; job.seed <= 6; ++job.seed)
    points.insert(said(*context, job).at("score").at("points").get<double>());
  CHECK(points.size() == 1);
  CHECK(*points.begin() < 3);  // one case of 22
}

TEST_CASE("a bench outlives its devices") {
  const auto context = new_bench();
  const Json whole = said(*context, reference_of(*context));
  int killed = 0, lines = 0;
  const Progress killer = [&](const Message& message) {
    const std::string line = message.english();
    if (!line.starts_with("running `")) return;
    ++lines;
    killed += kill_devices();
  };
  CHECK(said(*context, reference_of(*context), killer).dump(1) == whole.dump(1));
  CHECK(lines == 3);
  CHECK(killed >= 3);  // the submission's, one for each version
}

TEST_CASE("the reference runs once a version, whatever the seed and the bench") {
  const CacheOfItsOwn cache;
  const auto context = new_bench();
  std::vector<std::string> told;
  const Progress listener = [&](const Message& message) {
    const std::string line = message.english();
    if (line.starts_with("running the reference")) told.emplace_back(line);
  };
  const Json seven = said(*context, reference_of(*context, 7, {"global"}), listener);
  CHECK(told == std::vector<std::string>{"running the reference solution's `global`"});
  const Json eight = said(*context, reference_of(*context, 8, {"global"}), listener);
  CHECK(told.size() == 1);
  const auto speed = [](const Json& document) {
    return document.at("versions").at(0).at("speed").at("reference_ns");
  };
  CHECK(speed(seven) == speed(eight));

  const auto other = new_bench();
  CHECK(said(*other, reference_of(*other, 7, {"global"}), listener).dump(1) == seven.dump(1));
  CHECK(told.size() == 1);
  CHECK(grade(*other, reference_of(*other, 7, {"global"}), kQuiet)->nondeterministic.cpu_ms > 0);
  static_cast<void>(said(*other, reference_of(*other, 7, {"shared"}), listener));
  CHECK(told.size() == 2);

  // Another GPU has other times.
  const auto card = new_bench("k40c");
  const Json there = said(*card, reference_of(*card, 7, {"global"}), listener);
  CHECK(told.size() == 3);
  CHECK(speed(there) != speed(seven));
}

TEST_CASE("kept figures that are damaged are made again") {
  const CacheOfItsOwn cache;
  const GradeJob job = reference_of(*new_bench(), 7, {"global"});
  const Json whole = said(*new_bench(), job);
  std::size_t damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache.folder())) {
    if (entry.path().extension() != ".part" || entry.file_size() > 1 << 20) continue;
    fs::resize_file(entry.path(), entry.file_size() / 2);
    ++damaged;
  }
  CHECK(damaged > 0);
  CHECK(said(*new_bench(), job).dump(1) == whole.dump(1));
}

TEST_CASE("a reference that the cache has let go is compiled again") {
  const CacheOfItsOwn cache;
  const auto context = new_bench();
  GradeJob job = made_of(*context, "ENTRY(global) { good::row_max_global(a, out, rows, cols); }");
  job.versions = {"global"};
  const std::vector<std::string> accepted = verdicts(said(*context, job));
  CHECK(accepted.front() == "accepted");
  const auto reference = context->build(reference_of(*context).submission);
  REQUIRE(reference);
  REQUIRE(fs::remove(reference->executable));
  job.seed = 8;
  CHECK(verdicts(said(*context, job)) == accepted);
}

TEST_CASE("a trace is of the case that it was asked for and leaves the gradings as they were") {
  const auto context = new_bench();
  const GradeJob job = reference_of(*context, 7, {"global", "padded"});
  const Json before = said(*context, job);
  TestCase small = context->lab().timed;
  for (auto& [name, size] : small.sizes) size = 40;
  const auto traced = trace(*context, job, small, kQuiet);
  REQUIRE(traced);
  REQUIRE(traced->versions.size() == 2);
  for (const VersionEvidence& version : traced->versions) {
    REQUIRE(version.cases.size() == 1);
    CHECK(version.cases.front().name == small.name());
    REQUIRE_FALSE(version.cases.front().launches.empty());
    CHECK_FALSE(version.cases.front().launches.front().accesses.empty());
  }
  CHECK(said(*context, job).dump(1) == before.dump(1));

  const auto broken = trace(*context, made_of(*context, "ENTRY(global) { no_such_thing(); }"), small, kQuiet);
  REQUIRE(broken);
  CHECK(broken->compiler_output.english().find("no_such_thing") != std::string::npos);
}

TEST_CASE("requests that make no sense are the user's to repair") {
  const auto profile = load_device_profile(kCourse, kDefaultProfile);
  REQUIRE(profile);
  const auto nothing =
      GradingContext::open(kCourse, "lab3", "variant44", {DeviceChoice::Simulator, *profile});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.problem().message.english().find("variant44") != std::string::npos);
  const auto context = new_bench();
  const auto version = prepare(*context, {context->lab().reference, {"sharde"}, 7});
  REQUIRE_FALSE(version);
  CHECK(version.problem().message.english() ==
        "lab3/variant4 has no version 'sharde'; did you mean 'shared'?");
  const auto file = prepare(*context, {"/no/such/file.cu", {}, 7});
  REQUIRE_FALSE(file);
  const auto drawn = prepare(*context, {context->lab().reference, {"shared"}, {}});
  const auto again = prepare(*context, {context->lab().reference, {"shared"}, {}});
  REQUIRE((drawn && again));
  CHECK(drawn->versions == std::vector<std::string>{"shared"});
  CHECK(drawn->seed != again->seed);
}

TEST_CASE("an interrupted grading is an error, and the bench grades on") {
  std::atomic<bool> cancel = false;
  const auto profile = load_device_profile(kCourse, kDefaultProfile);
  REQUIRE(profile);
  const auto context =
      GradingContext::open(kCourse, "lab3", "variant4", {DeviceChoice::Simulator, *profile, &cancel});
  REQUIRE(context);
  const GradeJob job = reference_of(**context, 7, {"shared"});
  const auto stopped = grade(**context, job, [&](const Message& message) {
    const std::string line = message.english();
    if (line.starts_with("running `shared`")) cancel = true;
  });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.problem().message.english() == "interrupted");
  cancel = false;
  CHECK(said(**context, job).at("score").at("points") == 35);
}

TEST_CASE("what check-labs asks") {
  const auto context = new_bench();
  const auto clean = compiler_warnings(*context, reference_of(*context).submission);
  REQUIRE(clean);
  CHECK(clean->empty());
  const GradeJob unused = made_of(*context, "ENTRY(global) { int never_used; (void)a; }");
  const auto warned = compiler_warnings(*context, unused.submission);
  REQUIRE(warned);
  CHECK(warned->find("never_used") != std::string::npos);
  const auto oracle = rehearse_oracle(*context);
  REQUIRE(oracle);
  CHECK(oracle->problems.empty());
  CHECK(oracle->mistakes.english().find("the minimum of each row instead of its maximum") !=
        std::string::npos);
}

TEST_CASE("a tool is run over nothing that does not compile") {
  const auto context = new_bench();
  const auto tool = [](const Version&) { return std::vector<std::string>{"/bin/false"}; };
  const auto runs =
      run_under(*context, made_of(*context, "ENTRY(global) { no_such_thing(); }"), tool, kQuiet);
  REQUIRE_FALSE(runs);
  CHECK(runs.problem().message.english() == "the submission does not compile");
}

}  // namespace cudalabs
