// A kernel owns the shared memory that it uses, wherever the compiler declared it.
#include "grader/sim/simulator.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

constexpr const char* kTwoKernels = R"(.version 7.5
.target sm_80
.address_size 64
.weak .shared .align 4 .b8 first[4096];
.weak .shared .align 16 .b8 second[64];
.weak .shared .align 4 .b8 both[128];
.weak .shared .align 4 .b8 nobody[8192];
.visible .entry a(.param .u64 p) {
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
mov.u32 %r1, first;
ld.shared.u32 %r2, [both+124];
st.shared.u32 [%r1+4092], %r2;
ret;
}
.visible .entry b(.param .u64 p) {
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.shared.u32 %r2, [both];
mov.u32 %r1, 5;
st.shared.u32 [second+60], %r1;
ret;
}
)";

std::uint32_t shared_of(const Module& module, std::string_view kernel) {
  for (const KernelInfo& info : module.kernels()) {
    if (info.name == kernel) return info.static_shared_bytes;
  }
  FAIL("unknown kernel");
  return 0;
}

}  // namespace

TEST_CASE("shared variables of module scope belong to the kernels that use them") {
  Simulator simulator(Limits{});
  const auto module = simulator.load(kTwoKernels, "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  CHECK(shared_of(**module, "a") == 4096 + 128);
  CHECK(shared_of(**module, "b") == 64 + 128);
}

TEST_CASE("what a device function uses lies at one place for every kernel") {
  std::string text = kTwoKernels;
  const std::string function =
      ".func f() {\n.reg .b32 %r<4>;\nmov.u32 %r1, 7;\nst.shared.u32 [second], %r1;\nret;\n}\n";
  text.insert(text.find(".visible .entry a"), function);
  Simulator simulator(Limits{});
  const auto module = simulator.load(text, "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  CHECK(shared_of(**module, "a") == 4096 + 128);
  CHECK(shared_of(**module, "b") == 64 + 128);
  text.insert(text.find("mov.u32 %r1, first"), "call f;\n");
  const auto calling = simulator.load(text, "test");
  INFO((calling ? std::string() : calling.problem().text()));
  REQUIRE(calling);
  CHECK(shared_of(**calling, "a") == 64 + 4096 + 128);
}

}  // namespace cudalabs::sim
