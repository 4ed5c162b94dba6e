#include "grader/toolchain/options/clang_flags.h"

#include <algorithm>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("what a user tells nvcc reaches clang's halves") {
  const Words words{"-DN=64", "-Xcompiler=-Wextra,-fopenmp", "-include=own.h", "-O3", "-rdc=true"};
  const UserFlags user = translated(words);
  CHECK(user.device == Words{"-DN=64", "-include", "own.h", "-fgpu-rdc"});
  CHECK(user.host == Words{"-DN=64", "-Wextra", "-fopenmp", "-include", "own.h", "-O3", "-fgpu-rdc"});
  CHECK(host_words(words) == Words{"-Wextra", "-fopenmp"});
}

TEST_CASE("the language is C++17 unless something newer is asked for") {
  CHECK(standard_of({}) == "-std=gnu++17");
  CHECK(standard_of({"-std=c++11"}) == "-std=gnu++17");
  CHECK(standard_of({"-DN=64", "-std=c++20"}) == "-std=c++20");
}

TEST_CASE("what only nvcc has a use for is left out, with its value") {
  const UserFlags user =
      translated({"-arch=compute_86", "-expt-relaxed-constexpr", "-extended-lambda", "-diag-suppress=20012"});
  CHECK(user.device.empty());
  CHECK(user.host.empty());
}

TEST_CASE("fast math is the device's alone") {
  const UserFlags user = translated({"-use_fast_math", "-fmad=false"});
  CHECK(user.host.empty());
  CHECK(std::ranges::count(user.device, "-fcuda-flush-denormals-to-zero") == 1);
  CHECK(std::ranges::count(user.device, "-ffp-contract=off") == 1);
}

TEST_CASE("a precompiled header is used with macros and folders, not with other options") {
  CHECK(precompiles({}));
  CHECK(precompiles({"-DN=64", "-Iinclude"}));
  CHECK_FALSE(precompiles({"-DN=64", "-O0"}));
  CHECK_FALSE(precompiles({"-DNDEBUG"}));
  CHECK_FALSE(precompiles({"-D_GLIBCXX_DEBUG"}));
}
