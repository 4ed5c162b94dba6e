// Features that only clang has, and differences from nvcc.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "grader/course/cache.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"
#include "tests/toolchain/bench.h"

namespace fs = std::filesystem;
using namespace cudalabs;
using test::bench, test::build, test::kGood, test::shown, test::under_each_compiler;

namespace {

/// A clang toolchain with a separate cache; empty if there is no clang.
struct OwnCache {
  fs::path folder;
  std::optional<Toolchain> toolchain;
  std::string before = std::getenv("XDG_CACHE_HOME") != nullptr ? std::getenv("XDG_CACHE_HOME") : "";

  explicit OwnCache(const std::string& name = "own cache") : folder(bench().root / name) {
    fs::create_directories(folder);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    if (auto found = find_toolchain(CompilerChoice::Clang)) toolchain = *found;
  }
  ~OwnCache() {
    if (before.empty()) {
      ::unsetenv("XDG_CACHE_HOME");
    } else {
      ::setenv("XDG_CACHE_HOME", before.c_str(), 1);
    }
    fs::remove_all(folder);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  [[nodiscard]] std::vector<fs::path> precompiled() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder / "cuda-labs" / "precompiled")) {
      // The other files record that a header is wanted, or its digest.
      if (!entry.path().string().ends_with("-wanted")) files.push_back(entry.path());
    }
    return files;
  }
  [[nodiscard]] BuildOutcome build(const std::string& code) const {
    return test::build(code, {}, nullptr, &*toolchain);
  }
};

}  // namespace

TEST_CASE("clang's precompiled headers come from the cache, and damaged ones are made anew") {
  const OwnCache cache;
  if (!cache.toolchain) return;
  REQUIRE(cache.build(std::string(kGood) + "// 0").status == BuildStatus::Ok);
  CHECK(cache.precompiled().empty());  // precompiled headers pay off from the second file on
  REQUIRE(cache.build(std::string(kGood) + "// 1").status == BuildStatus::Ok);
  const auto files = cache.precompiled();
  REQUIRE(files.size() == 2);
  for (const fs::path& file : files) {
    CHECK((fs::status(file).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
    const auto bytes = fs::file_size(file);
    CHECK(bytes > 100'000);
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(bytes / 2).put('\x55');
  }
  CHECK(cache.build(std::string(kGood) + "// 2").status == BuildStatus::Ok);
  CHECK(cache.precompiled().size() == 2);
  for (const fs::path& file : files) {
    const auto digest = damage_digest_of(file);
    REQUIRE(digest.ok());
    CHECK(*digest == test::read_file(file.string() + "-wanted"));
    fs::resize_file(file, fs::file_size(file) / 2);
  }
  CHECK(cache.build(std::string(kGood) + "// 3").status == BuildStatus::Ok);
  CHECK(cache.precompiled().size() == 2);
  for (const fs::path& file : files) CHECK(fs::file_size(file) > 100'000);
  // A build whose output contains such an error does not use the header and leaves it to the next build.
  CHECK(cache.build("#error PCH file is out of date\n").status == BuildStatus::CompileError);
  CHECK(cache.build(std::string(kGood) + "// 4").status == BuildStatus::Ok);
}

namespace {

/// The bytes of a program without the host's debug information and what the linker makes of it.
std::string without_lines(const fs::path& program) {
  const fs::path bare = program.string() + "-bare";
  REQUIRE(test::run(
              {{"strip", "--strip-debug", "-R", ".note.gnu.build-id", "-o", bare.string(), program.string()}})
              .status == 0);
  return test::read_file(bare);
}

}  // namespace

TEST_CASE("both halves of a file come of one start of clang as of two") {
  const std::string code = std::string(kGood) + "int unused() { int nothing; return 0; }\n";
  // The path of a preloaded library cannot contain a blank, so clang starts twice there.
  const OwnCache twins("twins"), apart("a part");
  if (!twins.toolchain) return;
  for (const std::string turn : {"// 0", "// 1"}) {  // without and with precompiled headers
    const auto one = twins.build(code + turn), two = apart.build(code + turn + " else it is known");
    REQUIRE(one.status == BuildStatus::Ok);
    REQUIRE(two.status == BuildStatus::Ok);
    // In other sandboxes each build has a separate folder, which its lines name. The lines of the host name
    // the folder of the headers.
    if (usable_sandbox() == SandboxKind::Bubblewrap)
      CHECK((without_lines(one.executable) == without_lines(two.executable)));
    REQUIRE(one.warnings.size() == two.warnings.size());
    REQUIRE_FALSE(one.warnings.empty());
    CHECK(shown(one.warnings) == shown(two.warnings));
  }
}

TEST_CASE("under clang a function of the host and one of the device share a name, also precompiled") {
  const OwnCache cache;
  if (!cache.toolchain) return;
  const auto outcome = cache.build(std::string(kGood) + R"(
#include <cmath>
#include <new>
#include <vector>
struct Point { float x; __host__ __device__ Point(float x) : x(x) {} };
__global__ void both(float* a) {
  alignas(Point) char room[sizeof(Point)];
  a[0] = sqrtf(a[1]) + (new (room) Point(a[2]))->x;
}
float on_the_host(float a) {
  alignas(Point) char room[sizeof(Point)];
  std::vector<Point> points(3, Point(a));
  return sqrtf(a) + std::sqrt(a) + (new (room) Point(a))->x + points.back().x;
}
)");
  INFO(outcome.sentence.english() << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("numbers of 128 bits are divided under every compiler") {
  under_each_compiler();
  const auto outcome = build(std::string(kGood) + R"(
template <class T>
__global__ void parts(const T* in, T* out) {
  out[0] = in[0] / in[1];
  out[1] = in[0] % in[1];
}
template __global__ void parts(const __int128*, __int128*);
template __global__ void parts(const unsigned __int128*, unsigned __int128*);
)");
  INFO(outcome.sentence.english() << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}
