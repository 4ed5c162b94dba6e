#include "grader/sim/analysis/machine_instructions.h"

#include <string>
#include <utility>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

ptx::Instruction only(const std::string& text) {
  auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.reg .f64 %d<9>;\n" +
          text + "\n}\n",
      "test");
  INFO(text);
  REQUIRE(module);
  return module->functions.at(0).body.at(0);
}

}  // namespace

TEST_CASE("an instruction is as long as ptxas makes it") {
  // The instructions of ptxas 13.0 for sm_80 between a load and a store of the result.
  const std::pair<const char*, std::uint32_t> kLengths[] = {
      {"add.u32 %r1, %r2, %r3;", 1},        {"mul.lo.u64 %rd1, %rd2, %rd3;", 4},
      {"mul.hi.u64 %rd1, %rd2, %rd3;", 7},  {"mad.lo.u64 %rd1, %rd2, %rd3, %rd4;", 4},
      {"min.s64 %rd1, %rd2, %rd3;", 4},     {"max.u64 %rd1, %rd2, %rd3;", 4},
      {"abs.s64 %rd1, %rd2;", 5},           {"abs.s32 %r1, %r2;", 1},
      {"min.f64 %d1, %d2, %d3;", 1},        {"mul24.lo.s32 %r1, %r2, %r3;", 3},
      {"sin.approx.f32 %f1, %f2;", 2},      {"ex2.approx.ftz.f32 %f1, %f2;", 1},
      {"sqrt.approx.ftz.f32 %f1, %f2;", 1}, {"div.approx.ftz.f32 %f1, %f2, %f3;", 2},
      {"div.rn.f32 %f1, %f2, %f3;", 10},    {"cvta.to.global.u64 %rd1, %rd2;", 0}};
  for (const auto& [text, length] : kLengths) {
    INFO(text);
    CHECK(machine_instructions(only(text)) == length);
  }
}

TEST_CASE("an estimate charges no second halves of 64-bit integers") {
  CHECK(issue_slots(only("mul.lo.u64 %rd1, %rd2, %rd3;")) == 3);
  CHECK(issue_slots(only("min.s64 %rd1, %rd2, %rd3;")) == 1);
  CHECK(issue_slots(only("add.u64 %rd1, %rd2, %rd3;")) == 1);
  CHECK(issue_slots(only("div.u64 %rd1, %rd2, %rd3;")) == 70);
}

}  // namespace cudalabs::sim
