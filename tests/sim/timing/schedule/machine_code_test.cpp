// The order in which a GPU executes PTX: what is unrolled, and what is moved.

#include "grader/sim/timing/schedule/machine_code.h"

#include <string>

#include "grader/sim/lower/lower.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// A loop with the body `body`. %rd1 is an address, %r1 and %r2 are counters, %r9 is a parameter. Returns the
/// executed iterations, with one letter for each instruction: Load, Store, Float, Branch, and a dot for
/// others that take a slot. The loop is unrolled if there are several iterations.
std::string turns_of(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .f32 %f<32>;\n.reg .b64 %rd<16>;\n"
      "ld.param.u64 %rd1, [p];\nld.param.u64 %rd8, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r4, %tid.x;\n"
      "mul.wide.u32 %rd9, %r4, 64;\nadd.s64 %rd1, %rd1, %rd9;\nmov.u32 %r1, 0;\nmov.u32 %r2, %r9;\nmov.f32 "
      "%f1, 0f00000000;\nL:\n" +
      body + "M:\nst.global.f32 [%rd1], %f1;\nret;\n}\n";
  const auto module = ptx::parse(text, "test");
  REQUIRE(module);
  const auto programs = lower(*module, {});
  REQUIRE(programs);
  const MachineCode code = machine_code(*programs->front());
  const auto& instructions = module->functions.front().body;
  for (const MachinePiece& piece : code.pieces) {
    if (instructions[code.ops[piece.end - 1].instruction].op != ptx::Op::Bra) continue;
    const bool unrolled = piece.turns > 1;
    std::string turns;
    for (std::uint32_t k = unrolled ? piece.unrolled_first : piece.first;
         k < (unrolled ? piece.unrolled_end : piece.end); ++k) {
      const MachineOp& op = code.ops[k];
      if (op.slots == 0) continue;
      switch (instructions[op.instruction].op) {
        case ptx::Op::Ld: turns += 'L'; break;
        case ptx::Op::St: turns += 'S'; break;
        case ptx::Op::Fma:
        case ptx::Op::Add: turns += op.unit == Unit::Float ? 'F' : '.'; break;
        case ptx::Op::Bra: turns += 'B'; break;
        default: turns += '.';
      }
    }
    return turns;
  }
  return "no loop";
}

const std::string kSum = "ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\n";
const std::string kNext = "add.s64 %rd1, %rd1, 4;\n";
const std::string kDown = "add.s32 %r2, %r2, -4;\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra L;\n";

}  // namespace

TEST_CASE("a small loop that counts its turns is four turns, whose loads go together", "[model]") {
  // The address is incremented once; the loads contain the offsets.
  CHECK(turns_of(kSum + kNext + kDown) == "LLLL...FFFFB");
  CHECK(turns_of(kSum + kNext + "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n@%p1 bra L;\n") ==
        "LLLL...FFFFB");
}

TEST_CASE("a loop is left as it is", "[model]") {
  const std::string once = "L...FB";
  SECTION("that the compiler asks not to unroll") {
    CHECK(turns_of(".pragma \"nounroll\";\n" + kSum + kNext + kDown) == once);
  }
  SECTION("that goes on until a register is met exactly") {
    CHECK(turns_of(kSum + kNext + "add.s32 %r1, %r1, 4;\nsetp.ne.s32 %p1, %r1, %r9;\n@%p1 bra L;\n") == once);
  }
  SECTION("that leaves by one branch and goes on by another, until a register is met exactly") {
    CHECK(turns_of(kSum + kNext +
                   "add.s32 %r1, %r1, 4;\nsetp.eq.s32 %p1, %r1, %r9;\n@%p1 bra M;\nbra.uni L;\n") == once);
  }
  SECTION("whose steps differ") {
    CHECK(turns_of(kSum + kNext + "add.s32 %r2, %r2, %r9;\nsetp.lt.s32 %p1, %r2, 100;\n@%p1 bra L;\n") ==
          once);
  }
  SECTION("with more than 17 instructions") {
    std::string body = kSum;
    for (int i = 0; i < 15; ++i) body += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    CHECK(turns_of(body + kNext + kDown).size() > 60);
    CHECK(turns_of("fma.rn.f32 %f1, %f1, %f1, %f1;\n" + body + kNext + kDown).size() < 24);
  }
}

TEST_CASE("loads do not overtake a store that may meet them", "[model]") {
  // Offsets from one base can be distinguished; two unknown bases cannot.
  CHECK(turns_of("ld.global.f32 %f2, [%rd1];\nadd.f32 %f3, %f2, %f2;\nst.global.f32 [%rd1], %f3;\n" + kNext +
                 kDown) == "LLLL..FFFFSSSS.B");
  std::string accesses = turns_of(kSum + "st.global.f32 [%rd8], %f2;\n" + kNext + kDown);
  std::erase_if(accesses, [](char c) { return c != 'L' && c != 'S'; });
  CHECK(accesses == "LSLSLSLS");
}

TEST_CASE("so many loads are on their way as there are registers", "[model]") {
  // Four rows per iteration, each at its own address: a thread that fills a GPU with others has some 16
  // registers to spare.
  std::string body;
  for (int k = 0; k < 8; ++k)
    body += "ld.global.f32 %f" + std::to_string(2 + k) + ", [%rd1+" + std::to_string(4 * k) + "];\n" +
            "fma.rn.f32 %f1, %f1, %f" + std::to_string(2 + k) + ", %f1;\n";
  const std::string turns = turns_of(body + "add.s64 %rd1, %rd1, 32;\n" + kDown);
  const std::size_t ahead = turns.find('F');
  CHECK(ahead > 12);
  CHECK(ahead < 24);
}

}  // namespace cudalabs::sim
