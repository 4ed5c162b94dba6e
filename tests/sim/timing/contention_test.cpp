// How long atomics wait for each other at one address. The expected times were measured on an H200
// (docs/estimate.md).

#include "grader/sim/timing/contention.h"

#include <string>

#include "tests/sim/text_kernel.h"

using namespace cudalabs::sim;

namespace {

constexpr unsigned kBlocks = 4;

/// The clocks of the busiest address after four warps ran `atomic` on [%rd3]: the address of lane t is t *
/// stride.
double clocks(const std::string& atomic, int stride) {
  const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, )" +
                          std::to_string(stride) + ";\n  add.s64 %rd3, %rd1, %rd2;\n  " + atomic +
                          ";\n  ret;\n}\n";
  TextKernel kernel(ptx);
  ContentionObserver observer;
  LaunchOptions options;
  options.observers.push_back(&observer);
  CHECK(kernel.launch(kernel.zeros(1 << 20), kBlocks, 32, options).fault.kind == FaultKind::None);
  return observer.clocks();
}

}  // namespace

TEST_CASE("atomics on one element wait for each other", "[model]") {
  CHECK(clocks("red.global.add.f32 [%rd3], 0f3F800000", 0) == Approx(kBlocks * 32 * 3.4));
  CHECK(clocks("red.global.add.f64 [%rd3], 0d3FF0000000000000", 0) == Approx(kBlocks * 32 * 3.4));
  CHECK(clocks("red.global.add.u64 [%rd3], %rd1", 0) == Approx(kBlocks * 32 * 1.35));
}

TEST_CASE("a warp that adds integers at one address does one atomic", "[model]") {
  CHECK(clocks("red.global.add.u32 [%rd1], 1", 0) == Approx(kBlocks * 1.35));
}

TEST_CASE("atomics on neighbours take a sector at a time", "[model]") {
  CHECK(clocks("red.global.add.u32 [%rd3], 1", 4) == Approx(kBlocks * 4 * 1.13));
  CHECK(clocks("red.global.add.f32 [%rd3], 0f3F800000", 4) == Approx(kBlocks * 4 * 1.13));
  CHECK(clocks("red.global.add.f64 [%rd3], 0d3FF0000000000000", 8) == Approx(kBlocks * 8 * 2.26));
}

TEST_CASE("atomics in places of their own do not wait for each other", "[model]") {
  CHECK(clocks("red.global.add.f32 [%rd3], 0f3F800000", 256) < kBlocks * 4 * 3.4);
  CHECK(clocks("st.global.u32 [%rd3], %r1", 0) == 0);
}
