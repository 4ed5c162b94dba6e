#include "grader/sim/ptx/traits.h"

#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::ptx;

namespace {

Instruction only(const std::string& text) {
  auto module = parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a)\n{ .reg .pred %p<9>; .reg .b32 "
      "%r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n" +
          text + "\n}\n",
      "test.ptx");
  INFO(text);
  REQUIRE(module);
  return module->functions.at(0).body.at(0);
}

}  // namespace

TEST_CASE("which operand is written follows from the forms in the table") {
  for (const char* text :
       {"ld.global.u32 %r1, [%rd1];", "bar.red.popc.u32 %r1, 0, %p1;",
        "barrier.red.and.pred %p1, 0, %r1, %p1;", "redux.sync.add.u32 %r1, %r2, %r3;",
        "shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;", "mbarrier.arrive.shared.b64 %rd1, [%r1];",
        "atom.global.add.u32 %r1, [%rd1], 1;", "add.u32 %r1, %r2, 1;"}) {
    INFO(text);
    CHECK(writes_first(only(text)));
  }
  for (const char* text :
       {"st.global.u32 [%rd1], %r1;", "bar.sync %r1;", "barrier.sync %r1, %r2;", "bar.warp.sync %r1;",
        "red.global.add.u32 [%rd1], %r1;", "nanosleep.u32 %r1;", "mbarrier.init.shared.b64 [%r1], %r2;",
        "cp.async.ca.shared.global [%r1], [%rd1], 4;", "prefetch.global.L1 [%rd1];", "ret;",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1], {%r1, %r2, %r3, %r4}, %r5;"}) {
    INFO(text);
    CHECK_FALSE(writes_first(only(text)));
  }
}

TEST_CASE("operands have the types that the forms give them") {
  const Instruction wide = only("mad.wide.s32 %rd1, %r1, %r2, %rd2;");
  CHECK(type_of_operand(wide, 0) == Type::S64);
  CHECK(type_of_operand(wide, 1) == Type::S32);
  CHECK(type_of_operand(wide, 3) == Type::S64);
  const Instruction shift = only("shl.b64 %rd1, %rd2, 3;");
  CHECK(type_of_operand(shift, 0) == Type::B64);
  CHECK(type_of_operand(shift, 2) == Type::U32);
  CHECK(type_of_operand(only("popc.b64 %r1, %rd1;"), 0) == Type::U32);
  CHECK(type_of_operand(only("popc.b64 %r1, %rd1;"), 1) == Type::B64);
  CHECK(type_of_operand(only("ld.global.u32 %r1, [%rd1];"), 1) == Type::None);
}

TEST_CASE("what an instruction does stands in the table") {
  CHECK(access_of(only("ld.global.u32 %r1, [%rd1];")) == Access::Load);
  CHECK(access_of(only("st.global.u32 [%rd1], %r1;")) == Access::Store);
  CHECK(access_of(only("red.global.add.u32 [%rd1], 1;")) == Access::Atomic);
  CHECK(access_of(only("cp.async.ca.shared.global [%r1], [%rd1], 4;")) == Access::Copy);
  CHECK(access_of(only("wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1], {%r1, %r2, %r3, %r4};")) ==
        Access::Store);
  CHECK(access_of(only("add.u32 %r1, %r2, 1;")) == Access::None);
  CHECK(traits_of(Op::Redux).varies);
  CHECK(traits_of(Op::Redux).branched);
  CHECK_FALSE(traits_of(Op::Bar).branched);
  CHECK(traits_of(Op::Fma).fp64);
  CHECK_FALSE(traits_of(Op::Selp).fp64);
  CHECK(traits_of(Op::Cvta).machine_instructions == 0);
  CHECK(traits_of(Op::Add).machine_instructions == 1);
  CHECK(traits_of(Op::Redux).work == Work::Crossbar);
  CHECK(traits_of(Op::Popc).work == Work::Special);
  CHECK(traits_of(Op::Xor).work == Work::Logic);
  CHECK(is_matrix(Op::Ldmatrix));
  CHECK_FALSE(is_matrix(Op::Movmatrix));
}

TEST_CASE("of what a warp does together the table says how values get from lane to lane") {
  struct Row {
    Op op;
    std::string_view category;
  };
  const Row rows[] = {
#define CUDALABS_PTX_OPCODE(e, mnemonic, operands, types, mods, spaces, category, ...) {Op::e, #category},
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
  };
  for (const Row& row : rows) {
    if (row.category != "Warp" && row.category != "Matrix") continue;
    INFO(spelling(row.op));
    // These two query which lanes are active, and use nothing of them.
    const bool asks = row.op == Op::Activemask || row.op == Op::Elect;
    CHECK((traits_of(row.op).exchange || traits_of(row.op).joined) != asks);
  }
}
