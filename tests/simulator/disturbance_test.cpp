// Changed loads from shared memory (LaunchOptions::disturbance):
// every width changes, and stays as wide as it is.

#include <cstring>
#include <string>
#include <vector>

#include "grader/simulator/simulator.h"
#include "tests/harness/catch.h"

namespace {

using namespace cudalabs::sim;

/// What a full warp gets from shared memory that holds 1, 2, 3, ... in numbers of `bytes`, with an
/// instruction "ld.shared.TYPE" into a register of 32 or 64 bits.
std::vector<std::uint64_t> loaded(const std::string& type, int bytes, std::uint32_t share) {
  const std::string width = std::to_string(8 * bytes), reg = bytes == 8 ? "%rd9" : "%r9";
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .b32 %r<12>; .reg .b64 %rd<12>;\n.shared .align 16 .b8 s[1024];\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"
      "mad.lo.s32 %r3, %r1, " +
      std::to_string(bytes) + ", %r2; add.s32 %r4, %r1, 1; cvt.u64.u32 %rd4, %r4;\n" + "st.shared.u" + width +
      " [%r3], " + (bytes == 8 ? "%rd4" : "%r4") + ";\nbar.warp.sync 0xffffffff;\n" + "ld.shared." + type +
      " " + reg + ", [%r3];\n" + (bytes == 8 ? "" : "cvt.u64.u32 %rd9, %r9;\n") +
      "mul.wide.u32 %rd2, %r1, 8; add.s64 %rd3, %rd1, %rd2; st.global.u64 [%rd3], %rd9; ret;\n}\n";
  Simulator simulator;
  const auto module = simulator.load(ptx, "disturbance.ptx");
  INFO((module.ok() ? std::string() : module.problem().text()));
  REQUIRE(module.ok());
  const auto out = simulator.allocate(256);
  REQUIRE(out.ok());
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &*out, 8);
  LaunchOptions options;
  options.disturbance = {Disturbance::Memory::Shared, share, 7};
  const auto result = simulator.launch(**module, "k", {{1, 1, 1}, {32, 1, 1}, 0, false}, parameters, options);
  REQUIRE(result.ok());
  REQUIRE(result->ok());
  std::vector<std::uint64_t> numbers(32);
  std::memcpy(numbers.data(), simulator.bytes(*out, 256).data(), 256);
  return numbers;
}

struct Width {
  const char* type;
  int bytes;
  std::uint64_t added, most;
};
const Width kWidths[] = {{"u8", 1, 64, 0xFF},
                         {"s8", 1, 64, 0xFFFFFFFF},
                         {"u16", 2, 4096, 0xFFFF},
                         {"s16", 2, 4096, 0xFFFFFFFF},
                         {"u32", 4, 1u << 26, 0xFFFFFFFF},
                         {"u64", 8, std::uint64_t{1} << 54, ~std::uint64_t{0}}};

}  // namespace

TEST_CASE("loads of every width are disturbed and stay as wide as they are") {
  for (const auto& [type, bytes, added, most] : kWidths) {
    INFO(type);
    const auto plain = loaded(type, bytes, 0), changed = loaded(type, bytes, 0xFFFFFFFF);
    for (std::uint64_t i = 0; i < 32; ++i) {
      CHECK(plain[i] == i + 1);
      CHECK(changed[i] == i + 1 + added);
      CHECK(changed[i] <= most);
    }
  }
}

TEST_CASE("a part of the loads is disturbed, the same one each time") {
  const auto once = loaded("u16", 2, 0x40000000), again = loaded("u16", 2, 0x40000000);
  CHECK(once == again);
  std::size_t changed = 0;
  for (std::uint64_t i = 0; i < 32; ++i) changed += once[i] == i + 1 ? 0 : 1;
  CHECK(changed > 0);
  CHECK(changed < 24);
}
