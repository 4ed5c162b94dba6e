// Which bodies are predicated: one instruction below each threshold and one above it.

#include <string>

#include "grader/sim/analysis/predication.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using sim::PredicatedBody;

namespace {

std::vector<PredicatedBody> bodies_of(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".entry k(.param .u64 a, .param .u32 n, .param .u32 m)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<20>;\n"
      ".shared .align 16 .b8 s[4096];\n" +
          body + "\n}\n",
      "predication.ptx");
  if (!module) FAIL(module.problem().text());
  return sim::predicated_bodies(module->functions[0]);
}

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text + "\n";
  return all;
}

const std::string kStore = "st.shared.u32 [%r1], %r2;";
const std::string kLoads =
    "ld.param.u64 %rd1, [a]; ld.param.u32 %r3, [n]; ld.param.u32 %r4, [m]; mov.u32 %r1, %tid.x; mov.u32 %r2, "
    "%ctaid.x;\n"
    "cvta.to.global.u64 %rd2, %rd1; st.global.u32 [%rd2], %r1; add.s32 %r5, %r3, %r4; st.shared.u32 [s], "
    "%r5;\n";
const std::string kEnd = "bar.sync 0; ret;";

/// if (condition) body, followed by more code.
std::vector<PredicatedBody> after(const std::string& condition, const std::string& body) {
  return bodies_of(kLoads + condition + "\n@%p1 bra L;\n" + body + "\nL: " + kEnd);
}
const std::string kByThread = "setp.ge.s32 %p1, %r1, %r3;";
const std::string kByBlock = "setp.ge.s32 %p1, %r2, %r3;";

std::string two_sides(const std::string& condition, int then, int otherwise) {
  return kLoads + condition + "@%p1 bra E;\n" + repeat(kStore, then) + "bra L;\nE:\n" +
         repeat(kStore, otherwise) + "L: " + kEnd;
}

}  // namespace

TEST_CASE("a body of up to 8 instructions is predicated", "[predication]") {
  CHECK(after(kByThread, repeat(kStore, 8)) == std::vector<PredicatedBody>{{10, 11, 19}});
  CHECK(after(kByThread, repeat(kStore, 9)).empty());
}

TEST_CASE("a branch to behind the last instruction leaves", "[predication]") {
  CHECK(bodies_of(kLoads + kByThread + "@%p1 bra L;\n" + kStore + "\nret;\nL:").empty());
  CHECK(bodies_of(kLoads + kByThread + "@%p1 bra L;\n" + kStore + "\nL:").empty());
}

TEST_CASE("up to 6 where the whole block agrees on the condition", "[predication]") {
  CHECK(after(kByBlock, repeat(kStore, 6)).size() == 1);
  CHECK(after(kByBlock, repeat(kStore, 7)).empty());
  // A value computed only from uniform values is uniform, including loop counters; a loaded value is not.
  CHECK(after("shl.b32 %r6, %r2, 2; add.s32 %r6, %r6, %r4; setp.ge.s32 %p1, %r6, %r3;", repeat(kStore, 7))
            .empty());
  CHECK(after("ld.shared.u32 %r6, [s]; setp.ge.s32 %p1, %r6, %r3;", repeat(kStore, 7)).size() == 1);
  const std::string in_loop = "mov.u32 %r6, 0;\nH: setp.ge.s32 %p1, %r6, %r3;\n@%p1 bra L;\n";
  const std::string next =
      "L: bar.sync 0; add.s32 %r6, %r6, 1; setp.lt.s32 %p2, %r6, %r4;\n@%p2 bra H;\n" + kEnd;
  CHECK(bodies_of(kLoads + in_loop + repeat(kStore, 6) + next).size() == 1);
  CHECK(bodies_of(kLoads + in_loop + repeat(kStore, 7) + next).empty());
}

TEST_CASE("up to 20 with a global load in it", "[predication]") {
  const std::string load = "ld.global.u32 %r7, [%rd2];\n";
  CHECK(after(kByThread, load + repeat("st.shared.u32 [%r1], %r7;", 19)).size() == 1);
  CHECK(after(kByBlock, load + repeat("st.shared.u32 [%r1], %r7;", 19)).size() == 1);
  CHECK(after(kByThread, load + repeat("st.shared.u32 [%r1], %r7;", 20)).empty());
}

TEST_CASE("what may not be predicated stays a branch", "[predication]") {
  const std::string forbidden[] = {"atom.shared.add.u32 %r7, [%r1], 3;",
                                   "red.global.add.u32 [%rd2], 1;",
                                   "shfl.sync.down.b32 %r7, %r2, 1, 31, -1; " + kStore,
                                   "vote.sync.any.pred %p3, %p1, -1; " + kStore,
                                   "bar.warp.sync -1;",
                                   "membar.cta;",
                                   "rem.s32 %r7, %r2, %r3; st.shared.u32 [%r1], %r7;",
                                   "sqrt.rn.f32 %f1, %f2; st.shared.f32 [%r1], %f1;",
                                   "div.rn.f32 %f1, %f2, %f3; st.shared.f32 [%r1], %f1;",
                                   "@%p3 st.shared.u32 [%r1], %r2;"};
  for (const std::string& text : forbidden) {
    INFO(text);
    CHECK(after(kByThread, text).empty());
  }
  CHECK(after(kByThread, "div.approx.f32 %f1, %f2, %f3; st.shared.f32 [%r1], %f1;").size() == 1);
}

TEST_CASE("a body at the end of the kernel is an early exit", "[predication]") {
  CHECK(bodies_of(kLoads + kByThread + "@%p1 bra L;\n" + kStore + "\nL: ret;").empty());
  CHECK(bodies_of(kLoads + kByThread + "@%p1 ret;\n" + kStore + "\nret;").empty());
}

TEST_CASE("of nested conditions only the inner one is predicated", "[predication]") {
  const auto bodies =
      bodies_of(kLoads + kByThread + "@%p1 bra L;\nld.shared.u32 %r7, [%r1]; setp.lt.s32 %p2, %r7, 1;\n" +
                "@%p2 bra L;\n" + kStore + "\nL: " + kEnd);
  CHECK(bodies == std::vector<PredicatedBody>{{13, 14, 15}});
}

TEST_CASE("conditions joined by && are one if the second is short arithmetic", "[predication]") {
  const auto both = [](int more) {
    return bodies_of(kLoads + kByThread + "@%p1 bra L;\n" +
                     repeat("xor.b32 %r7, %r1, 5; min.s32 %r1, %r7, %r2;", more) +
                     "setp.lt.s32 %p2, %r1, 7;\n@%p2 bra L;\n" + kStore + "\nL: " + kEnd);
  };
  CHECK(both(2) == std::vector<PredicatedBody>{{10, 11, 16}, {10, 17, 18}});
  CHECK(both(3) == std::vector<PredicatedBody>{{18, 19, 20}});  // too long: nested, only the inner one
}

TEST_CASE("of an if-else the side of the branch not taken is looked at first", "[predication]") {
  CHECK(bodies_of(two_sides(kByThread, 7, 8)) == std::vector<PredicatedBody>{{10, 11, 18}, {10, 19, 27}});
  CHECK(bodies_of(two_sides(kByThread, 8, 1)).empty());
  CHECK(bodies_of(two_sides(kByThread, 7, 9)) == std::vector<PredicatedBody>{{10, 11, 18}});
  CHECK(bodies_of(two_sides(kByBlock, 5, 6)).size() == 2);
  CHECK(bodies_of(two_sides(kByBlock, 6, 1)).empty());
  CHECK(bodies_of(two_sides(kByBlock, 5, 7)).size() == 1);
  // nvcc also writes the two sides in the opposite order
  const auto turned = [](int then, int otherwise) {
    return bodies_of(kLoads + kByThread + "@%p1 bra E;\nbra.uni B;\nE:\n" + repeat(kStore, otherwise) +
                     "bra.uni L;\nB:\n" + repeat(kStore, then) + "L: " + kEnd);
  };
  CHECK(turned(7, 8) == std::vector<PredicatedBody>{{10, 21, 28}, {10, 12, 20}});
  CHECK(turned(7, 9) == std::vector<PredicatedBody>{{10, 22, 29}});
  CHECK(turned(8, 1).empty());
}

TEST_CASE("beside a long side the short one is predicated, if it is the one that jumps", "[predication]") {
  const std::string loop =
      "E: mov.u32 %r9, 0;\nQ: st.shared.u32 [%r1], %r9; add.s32 %r9, %r9, 1; setp.lt.s32 %p3, %r9, "
      "%r3;\n@%p3 bra Q;\n";
  const auto beside = [&](int stores) {
    return bodies_of(kLoads + kByThread + "@%p1 bra E;\n" + repeat(kStore, stores) + "bra L;\n" + loop +
                     "L: " + kEnd);
  };
  CHECK(beside(7) == std::vector<PredicatedBody>{{10, 11, 18}});
  CHECK(beside(8).empty());
}

TEST_CASE("a body that stands where the branch goes", "[predication]") {
  const auto turned = [](int stores) {
    return bodies_of(kLoads + kByThread + "@%p1 bra B;\nbra.uni L;\nB:\n" + repeat(kStore, stores) +
                     "L: " + kEnd);
  };
  CHECK(turned(8) == std::vector<PredicatedBody>{{10, 12, 20}});
  CHECK(turned(9).empty());
}

TEST_CASE("machine instructions, not those of PTX, are counted", "[predication]") {
  const auto with = [](const std::string& text, int stores) {
    return after(kByThread, text + repeat(kStore, stores)).size();
  };
  const auto costs = [&](const std::string& text, int cost) {
    INFO(text);
    CHECK(with(text, 8 - cost) == 1);
    CHECK(with(text, 9 - cost) == 0);
  };
  costs("add.s32 %r8, %r1, %r5; ld.shared.u32 %r9, [%r8]; st.shared.u32 [%r1], %r9;\n", 3);
  // The load's immediate offset.
  costs("add.s32 %r8, %r1, 64; ld.shared.u32 %r9, [%r8]; st.shared.u32 [%r1], %r9;\n", 2);
  costs("shl.b32 %r8, %r5, 2; add.s32 %r9, %r8, %r1; st.shared.u32 [%r9], %r2;\n", 2);    // LEA
  costs("add.s32 %r8, %r5, %r1; add.s32 %r9, %r8, %r2; st.shared.u32 [%r1], %r9;\n", 2);  // IADD3
  costs("mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r2;\n", 2);
  costs("add.s64 %rd4, %rd2, %rd5; st.global.u64 [%rd2], %rd4;\n", 4);  // two halves, combined into a pair
  costs("add.s32 %r8, %r5, %r1;\n", 0);                                 // never read
  costs("mov.u32 %r8, 7; st.shared.u32 [%r1], %r8;\n", 1);
}
