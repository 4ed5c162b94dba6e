#include "grader/compile/clang_flags.h"

#include <algorithm>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("what a user tells nvcc reaches clang's halves and the linker") {
  const UserFlags user =
      translated({"-DN=64", "-Xcompiler", "-Wextra,-fopenmp", "-lm", "-Xlinker=--as-needed", "-std=c++17"});
  CHECK(user.device == Words{"-DN=64", "-std=c++17"});
  CHECK(user.host == Words{"-DN=64", "-Wextra", "-fopenmp", "-std=c++17"});
  CHECK(user.link == Words{"-lm", "-Wl,--as-needed"});
}

TEST_CASE("what only nvcc has a use for is left out, with its value") {
  const UserFlags user = translated({"-arch=sm_90", "-gencode", "arch=compute_80,code=sm_80", "-lineinfo",
                                     "--expt-relaxed-constexpr", "--extended-lambda", "-rdc=true", "-Xptxas",
                                     "-v", "--maxrregcount", "32", "-O3"});
  CHECK(user.device == Words{"-O3"});
  CHECK(user.host == Words{"-O3"});
  CHECK(user.link.empty());
  CHECK(translated({"-Xcompiler"}).host.empty());  // a value that is not there
}

TEST_CASE("fast math is the device's alone") {
  const UserFlags user = translated({"-use_fast_math", "-fmad=false"});
  CHECK(user.host.empty());
  CHECK(std::ranges::count(user.device, "-fcuda-flush-denormals-to-zero") == 1);
  CHECK(std::ranges::count(user.device, "-ffp-contract=off") == 1);
}

TEST_CASE("a precompiled header is used with macros and folders, not with another language") {
  CHECK(precompiles({}));
  CHECK(precompiles({"-DN=64", "-Iinclude"}));
  CHECK_FALSE(precompiles({"-std=c++17"}));
  CHECK_FALSE(precompiles({"-DN=64", "-O0"}));
  CHECK(precompiles({"-I", "include", "-D", "N=64"}));
  CHECK_FALSE(precompiles({"-DNDEBUG"}));
  CHECK_FALSE(precompiles({"-D_GLIBCXX_DEBUG"}));
}
