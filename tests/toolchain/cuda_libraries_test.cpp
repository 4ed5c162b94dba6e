// Our headers of CUDA's libraries, as clang reads them from a program: the supported ones together and twice,
// and the placeholders of unsupported ones. tests/sim/programs tests their results.

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;

const fs::path kHeaders = CUDALABS_SOURCE "/grader/cudart/include";

/// Returns whether it can compile this machine's C++ library: clang 14 fails on that of g++ 13.
bool reads_the_library(const std::string& compiler) {
  const std::string all = "echo '#include <chrono>' | " + compiler + " -x c++ -std=c++20 -fsyntax-only -";
  return cudalabs::test::run({.words = cudalabs::test::shell(all), .together = true}).status == 0;
}

/// The newest and the oldest usable clang; empty if there is none.
std::vector<std::string> compilers() {
  std::vector<std::string> found;
  for (int version = 30; version >= 14; --version) {
    const std::string name = "clang++-" + std::to_string(version);
    if (cudalabs::test::run({.words = cudalabs::test::shell("command -v " + name)}).status == 0 &&
        reads_the_library(name))
      found.push_back(name);
  }
  if (found.size() > 2) found.erase(found.begin() + 1, found.end() - 1);
  return found;
}

/// Clang's output for a file with these includes, for the host or the device.
cudalabs::test::Ended read(const std::string& compiler, const std::string& half, const std::string& text) {
  const fs::path file = fs::temp_directory_path() / ("cuda_libraries_" + std::to_string(getpid()) + ".cu");
  std::ofstream(file) << text;
  const auto end = cudalabs::test::run(
      {.words = {compiler, "-x", "cuda", half, "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib",
                 "--cuda-path=/nonexistent", "-Xclang", "-target-sdk-version=11.5", "-std=c++20", "-Wall",
                 "-Werror", "-fsyntax-only", "-isystem", kHeaders, "-include", "cuda_runtime.h", file},
       .together = true});
  fs::remove(file);
  return end;
}

/// The headers in `folder` that consist of one include of cudalabs/needs_toolkit.h, or the others.
std::vector<std::string> headers(bool need_toolkit) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kHeaders)) {
    const std::string name = fs::relative(entry.path(), kHeaders);
    if (!entry.is_regular_file() || name.starts_with("cudalabs/") || name.starts_with("bits/")) continue;
    std::ifstream in(entry.path());
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (text.find("cudalabs/needs_toolkit.h") != std::string::npos ? need_toolkit : !need_toolkit)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("clang reads our headers of CUDA's libraries", "[cuda_libraries]") {
  const auto names = headers(false);
  REQUIRE(std::count(names.begin(), names.end(), "cuda_fp16.h") == 1);
  std::string once, twice;
  for (const auto& name : names) once += "#include <" + name + ">\n";
  for (auto name = names.rbegin(); name != names.rend(); ++name) twice += "#include <" + *name + ">\n";
  for (const auto& compiler : compilers()) {
    for (const char* half : {"--cuda-device-only", "--cuda-host-only"}) {
      const auto end = read(compiler, half, once + twice);
      INFO(compiler << " " << half << "\n" << end.out);
      CHECK(end.status == 0);
      CHECK(end.out.empty());
    }
  }
}

TEST_CASE("a header of NVIDIA's libraries says that it needs the toolkit", "[cuda_libraries]") {
  const auto names = headers(true);
  REQUIRE(std::count(names.begin(), names.end(), "thrust/sort.h") == 1);
  REQUIRE(std::count(names.begin(), names.end(), "cub/block/block_reduce.cuh") == 1);
  const auto found = compilers();
  if (found.empty()) return;
  std::string all;  // the message once, for the first header, and the include path of each
  for (const auto& name : names) all += "#include <" + name + ">\n";
  auto end = read(found.front(), "--cuda-device-only", all);
  INFO(end.out);
  CHECK(end.out.find("1 error generated") != std::string::npos);
  for (const char* name :
       {"cub/cub.cuh", "curand_kernel.h", "thrust/iterator/zip_iterator.h", "thrust/system/cuda/vector.h"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 1);
    end = read(found.front(), "--cuda-device-only", std::string("#include <") + name + ">\n");
    INFO(name << "\n" << end.out);
    CHECK(end.status == 1);
    CHECK(end.out.find("error: \"this header needs NVIDIA's libraries") != std::string::npos);
    CHECK(end.out.find("1 error generated") != std::string::npos);
  }
}
