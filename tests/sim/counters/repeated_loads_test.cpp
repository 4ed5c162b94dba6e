// Which loads are repeated, and in which blocks of a launch.

#include "grader/sim/counters/repeated_loads.h"

#include <array>
#include <cstring>
#include <string>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// Blocks of 64 threads execute `body`, which has the array's address in %rd1 and its block's number in %r1.
RepeatedLoads repeated(const std::string& body, std::uint32_t blocks = 4, unsigned workers = 1) {
  const std::string ptx =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 tile[64];\n"
      "mov.u32 %r1, %ctaid.x;\n ld.param.u64 %rd1, [in];\n" +
      body + "ret;\n}\n";
  Simulator simulator;
  const auto module = simulator.load(ptx, "test");
  INFO((module ? "" : module.problem().text()));
  REQUIRE(module);
  const DevicePtr in = *simulator.allocate(256);
  std::memset(simulator.bytes(in, 256).data(), 0, 256);
  std::array<std::byte, sizeof in> parameters;
  std::memcpy(parameters.data(), &in, sizeof in);
  RepeatedLoadsObserver observer(12345);
  LaunchOptions options;
  options.threads = workers;
  options.observers = {&observer};
  const auto result =
      simulator.launch(**module, "k", {.grid = {blocks, 1, 1}, .block = {64, 1, 1}}, parameters, options);
  REQUIRE(result);
  REQUIRE(result->ok());
  return observer.loads();
}

}  // namespace

TEST_CASE("a load of what the thread has just loaded is repeated", "[counters]") {
  const std::string one = "ld.global.u32 %r2, [%rd1];\n", other = "ld.global.u32 %r3, [%rd1+4];\n";
  const std::string shared = "ld.shared.v2.u32 {%r2, %r3}, [tile];\n";
  constexpr std::uint64_t kThreads = 4 * 64;
  CHECK(repeated(one + other) == RepeatedLoads{.global_bytes = 8 * kThreads, .global = 2 * kThreads});
  CHECK(repeated("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\n") ==
        RepeatedLoads{.global_bytes = 16 * kThreads, .global = kThreads});
  CHECK(repeated(one + other + one) == RepeatedLoads{.global_bytes = 12 * kThreads,
                                                     .global_bytes_again = 4 * kThreads,
                                                     .global = 3 * kThreads});
  CHECK(repeated(shared + one + shared) ==
        RepeatedLoads{16 * kThreads, 8 * kThreads, 4 * kThreads, 0, kThreads});
}

TEST_CASE("a load behind a barrier or a fence is not repeated", "[counters]") {
  const std::string load = "ld.shared.u32 %r2, [tile];\n";
  for (const std::string between :
       {"bar.sync 0;\n", "bar.warp.sync -1;\n", "membar.cta;\n", "st.shared.u32 [tile+4], %r2;\n"}) {
    INFO(between);
    const bool repeats = between.starts_with("st");
    CHECK(repeated(load + between + load).shared_bytes_again == (repeats ? 4 * 64 * 4 : 0));
  }
}

TEST_CASE("the first and the last block cannot make the others' loads look repeated", "[counters]") {
  // The first block repeats its load 1000 times.
  const std::string body =
      "ld.global.u32 %r2, [%rd1];\n mov.u32 %r3, 0;\n setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\n"
      "AGAIN: ld.global.u32 %r2, [%rd1];\n add.u32 %r3, %r3, 1;\n setp.lt.u32 %p2, %r3, 1000;\n@%p2 bra "
      "AGAIN;\n"
      "END: ";
  const RepeatedLoads many = repeated(body, 5000);
  CHECK(many == RepeatedLoads{.global_bytes = 4 * 8 * 64, .global = 8 * 64});
  CHECK(repeated(body, 5000, 4) == many);
  CHECK(repeated(body, 8).global_bytes_again == 4 * 64 * 1000);  // all blocks of a small grid count
}

}  // namespace cudalabs::sim
