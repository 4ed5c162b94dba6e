#include "grader/sim/base/launch_limits.h"

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// One kernel with 4 KiB of static shared memory and __launch_bounds__(256), on the usual GPU.
struct AskedLaunch {
  Limits limits;
  KernelInfo kernel;
  LaunchConfig config;

  AskedLaunch() {
    kernel.name = kernel.demangled = "k";
    kernel.static_shared_bytes = 4096;
    kernel.max_threads = 256;
  }
  std::optional<LaunchRefusal> of(Dim3 grid, Dim3 block, std::uint32_t shared,
                                  std::uint64_t shared_limit = 0) {
    config = {grid, block, shared, false};
    return refuse_launch(limits, kernel, config, shared_limit);
  }
};

}  // namespace

TEST_CASE("a launch that the card allows is allowed, to the last byte and thread", "[launch_limits]") {
  AskedLaunch a;
  CHECK_FALSE(a.of({1, 1, 1}, {1, 1, 1}, 0));
  CHECK_FALSE(a.of({2147483647u, 65535, 65535}, {256, 1, 1}, 0));
  CHECK_FALSE(a.of({1, 1, 1}, {2, 2, 64}, 0));
  CHECK_FALSE(a.of({1, 1, 1}, {32, 1, 1}, 44 * 1024));
  CHECK_FALSE(a.of({1, 1, 1}, {32, 1, 1}, 100'000, 100'000));
  CHECK_FALSE(a.of({1, 1, 1}, {32, 1, 1}, 159 * 1024, 159 * 1024));
}

TEST_CASE("sizes that the card does not allow are refused with what was asked", "[launch_limits]") {
  AskedLaunch a;
  const auto refusal = [](const std::optional<LaunchRefusal>& refused) {
    REQUIRE(refused);
    CHECK(refused->what == Refused::Sizes);
    return refused->why.english();
  };
  CHECK(refusal(a.of({0, 1, 1}, {1, 1, 1}, 0)) == "kernel k: a grid of (0, 1, 1) blocks is empty");
  CHECK(refusal(a.of({1, 65536, 1}, {1, 1, 1}, 0)) ==
        "kernel k: a grid of (1, 65536, 1) blocks exceeds the limit of (2147483647, 65535, 65535)");
  CHECK(refusal(a.of({1, 1, 1}, {1, 0, 1}, 0)) == "kernel k: a block of (1, 0, 1) threads is empty");
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 65}, 0)) ==
        "kernel k: a block of (1, 1, 65) threads exceeds the limit of (1024, 1024, 64)");
  CHECK(refusal(a.of({1, 1, 1}, {1025, 1, 1}, 0)) ==
        "kernel k: a block of (1025, 1, 1) threads exceeds the limit of 1024 threads in all");
  CHECK(refusal(a.of({1, 1, 1}, {257, 1, 1}, 0)) ==
        "kernel k: a block of 257 threads exceeds its __launch_bounds__ of 256");
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 1}, 44 * 1024 + 1)) ==
        "kernel k: 49153 bytes of shared memory requested, the limit is 49152 (cudaFuncSetAttribute raises "
        "it to 166912)");
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 1}, 100'001, 100'000)) ==
        "kernel k: 104097 bytes of shared memory requested, the limit is 104096 (cudaFuncSetAttribute raises "
        "it to 166912)");
  // Nothing raises the limit further.
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 1}, 159 * 1024 + 1, 200'000)) ==
        "kernel k: 166913 bytes of shared memory requested, the limit is 166912");
}

TEST_CASE("the registers of a block are limited where ptxas's number is known", "[launch_limits]") {
  AskedLaunch a;
  a.kernel.max_threads = 1024;
  a.kernel.registers = 65;
  CHECK_FALSE(a.of({1, 1, 1}, {1024, 1, 1}, 0));  // an estimate rejects nothing
  CHECK(resident_blocks(a.limits, a.kernel, 256, 0) == 8);

  a.kernel.registers_known = true;
  const auto refused = a.of({1, 1, 1}, {1024, 1, 1}, 0);
  REQUIRE(refused);
  CHECK(refused->what == Refused::Registers);
  CHECK(refused->why.english() ==
        "kernel k: a block of 1024 threads with 65 registers each exceeds the limit of 65536 registers a "
        "block");
  CHECK(resident_blocks(a.limits, a.kernel, 1024, 0) == 0);
  CHECK_FALSE(a.of({1, 1, 1}, {896, 1, 1}, 0));             // 28 warps of 72 x 32: 64512
  CHECK(a.of({1, 1, 1}, {897, 1, 1}, 0));                   // a warp has them all
  CHECK(resident_blocks(a.limits, a.kernel, 256, 0) == 3);  // with 72 registers, not 65
  a.kernel.registers = 64;
  CHECK_FALSE(a.of({1, 1, 1}, {1024, 1, 1}, 0));
  CHECK(resident_blocks(a.limits, a.kernel, 1024, 0) == 1);
}

TEST_CASE("a cooperative launch fits the card at a time, or is told from the others", "[launch_limits]") {
  AskedLaunch a;
  a.config = {{108 * 8, 1, 1}, {256, 1, 1}, 0, true};
  CHECK_FALSE(refuse_launch(a.limits, a.kernel, a.config, 0));
  a.config.grid.x += 1;
  const auto refused = refuse_launch(a.limits, a.kernel, a.config, 0);
  REQUIRE(refused);
  CHECK(refused->what == Refused::AtATime);
  CHECK(refused->why.english() ==
        "kernel k: a cooperative launch of 865 blocks exceeds the 864 that fit on the device at a time");
  a.config.cooperative = false;
  CHECK_FALSE(refuse_launch(a.limits, a.kernel, a.config, 0));
}

}  // namespace cudalabs::sim
