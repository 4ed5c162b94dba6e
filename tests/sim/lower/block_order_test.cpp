// The order of blocks lets divergent lanes reconverge where their paths join, wherever the compiler placed
// the blocks.
#include "grader/sim/lower/block_order.h"

#include <cstring>
#include <string>
#include <vector>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// A kernel with one parameter, k_out.
std::string text_of_kernel(const std::string& body) {
  return ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_out) {\n"
         ".reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\nmov.u32 %r1, %tid.x;\n" +
         body + "}\n";
}

constexpr const char* kStore =
    "ld.param.u64 %rd1, [k_out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 "
    "[%rd3], %r2;\n";

ptx::Function ordered(const std::string& text) {
  auto module = ptx::parse(text, "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  order_blocks(module->functions.at(0));
  return std::move(module->functions.at(0));
}

/// The opcodes, and the targets of branches as indices.
std::string told(const ptx::Function& function) {
  std::string text;
  for (const ptx::Instruction& in : function.body) {
    text += (text.empty() ? "" : " ") + std::string(in.has_guard ? in.guard_negated ? "!" : "@" : "") +
            std::string(ptx::spelling(in.op));
    if (in.op == ptx::Op::Bra) text += ">" + std::to_string(in.operands[0].label);
  }
  return text;
}

struct Ran {
  Counters counters;
  std::vector<std::uint32_t> out;
};

Ran run(const std::string& text) {
  Simulator simulator(Limits{});
  const auto module = simulator.load(text, "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  const auto buffer = simulator.allocate(32 * 4);
  REQUIRE(buffer);
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &*buffer, 8);
  LaunchConfig config;
  config.block = {32, 1, 1};
  const auto result = simulator.launch(**module, "k", config, parameters);
  REQUIRE(result);
  Ran ran{result->counters, std::vector<std::uint32_t>(32)};
  std::memcpy(ran.out.data(), simulator.bytes(*buffer, 128).data(), 128);
  return ran;
}

/// Odd lanes run a block that is placed after the block where all reconverge.
const std::string kBodyBehind = text_of_kernel(std::string(R"(
and.b32 %r3, %r1, 1;
mov.u32 %r2, 5;
setp.eq.u32 %p1, %r3, 1;
@%p1 bra BODY;
bra.uni JOIN;
JOIN:
)") + kStore + R"(bar.sync 0;
ret;
BODY:
mov.u32 %r2, 7;
bra.uni JOIN;
)");

}  // namespace

TEST_CASE("a body that stands behind the place where lanes meet comes before it") {
  CHECK(told(ordered(kBodyBehind)) == "mov and mov setp !bra>6 mov ld mul add st bar ret");
  const Ran ran = run(kBodyBehind);
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(ran.out[lane] == (lane % 2 == 1 ? 7 : 5));
  CHECK(ran.counters.barriers == 1);
  CHECK(ran.counters.global_store_requests == 1);
  CHECK(ran.counters.divergent_branches == 1);
}

TEST_CASE("a loop stands in one piece, and what follows it behind it") {
  // Lane t iterates t + 1 times; the exit and a body precede the loop's head.
  const std::string text = text_of_kernel(std::string(R"(
mov.u32 %r2, 0;
mov.u32 %r4, 0;
bra.uni HEAD;
OUT:
)") + kStore + R"(ret;
BODY:
add.u32 %r2, %r2, 10;
bra.uni NEXT;
HEAD:
and.b32 %r5, %r4, 1;
setp.eq.u32 %p1, %r5, 1;
@%p1 bra BODY;
NEXT:
add.u32 %r2, %r2, 1;
add.u32 %r4, %r4, 1;
setp.le.u32 %p2, %r4, %r1;
@%p2 bra HEAD;
bra.uni OUT;
)");
  CHECK(told(ordered(text)) == "mov mov mov and setp !bra>7 add add add setp @bra>3 ld mul add st ret");
  const Ran ran = run(text);
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(ran.out[lane] == lane + 1 + 10 * ((lane + 1) / 2));
  CHECK(ran.counters.global_store_requests == 1);
}

TEST_CASE("what is in order stays as it is") {
  const std::string text = text_of_kernel(std::string(R"(
setp.lt.u32 %p1, %r1, 4;
mov.u32 %r2, 1;
@%p1 bra ELSE;
mov.u32 %r2, 2;
bra.uni JOIN;
ELSE:
mov.u32 %r2, 3;
JOIN:
)") + kStore + "ret;\n");
  CHECK(told(ordered(text)) == "mov setp mov @bra>6 mov bra>7 mov ld mul add st ret");
}

TEST_CASE("jumps to a block that is only a jump go where that goes") {
  const std::string text = text_of_kernel(std::string(R"(
mov.u32 %r2, 1;
setp.lt.u32 %p1, %r1, 4;
@%p1 bra FIRST;
bra.uni SECOND;
SECOND:
mov.u32 %r2, 2;
bra.uni LAST;
FIRST:
bra.uni LAST;
LAST:
)") + kStore + "ret;\n");
  CHECK(told(ordered(text)) == "mov mov setp @bra>5 mov ld mul add st ret");
  const Ran ran = run(text);
  CHECK(ran.out[3] == 1);
  CHECK(ran.out[4] == 2);
}

TEST_CASE("a loop with two ways in stays as it is") {
  const std::string text = text_of_kernel(std::string(R"(
mov.u32 %r2, 0;
setp.lt.u32 %p1, %r1, 4;
@%p1 bra SECOND;
bra.uni FIRST;
FIRST:
add.u32 %r2, %r2, 1;
SECOND:
add.u32 %r2, %r2, 10;
setp.lt.u32 %p2, %r2, 40;
@%p2 bra FIRST;
)") + kStore + "ret;\n");
  const auto module = ptx::parse(text, "test");
  REQUIRE(module);
  CHECK(told(ordered(text)) == told(module->functions.at(0)));
  CHECK(run(text).out[0] == 43);
}

TEST_CASE("a table of jumps leads to the same blocks") {
  const std::string text = text_of_kernel(std::string(R"(
and.b32 %r3, %r1, 3;
mov.u32 %r2, 9;
setp.eq.u32 %p1, %r3, 3;
@%p1 bra JOIN;
bra.uni SWITCH;
JOIN:
)") + kStore + R"(ret;
SWITCH:
WAYS: .branchtargets A, B, JOIN;
brx.idx %r3, WAYS;
B:
mov.u32 %r2, 20;
bra.uni JOIN;
A:
mov.u32 %r2, 10;
bra.uni JOIN;
)");
  const Ran ran = run(text);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    constexpr std::uint32_t kWanted[] = {10, 20, 9, 9};
    CHECK(ran.out[lane] == kWanted[lane % 4]);
  }
  CHECK(ran.counters.global_store_requests == 1);
}

TEST_CASE("very deep nests of loops take no time") {
  std::string text;
  constexpr int kDeep = 20000;
  for (int i = 0; i < kDeep; ++i) text += "L" + std::to_string(i) + ":\nadd.u32 %r2, %r1, 1;\n";
  text += "bra.uni M;\nM:\n";
  for (int i = kDeep; i-- > 0;) text += "setp.gt.u32 %p1, %r1, 100;\n@%p1 bra L" + std::to_string(i) + ";\n";
  const auto module = ptx::parse(text_of_kernel("mov.u32 %r2, 0;\n" + text + kStore + "ret;\n"), "test");
  REQUIRE(module);
  ptx::Function function = module->functions.at(0);
  order_blocks(function);
  CHECK(function.body.size() == module->functions.at(0).body.size());
}

}  // namespace cudalabs::sim
