#include "grader/sim/analysis/selected_loads.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// The analysis of the first load of shared memory in `body`.
SelectedLoad of_load(const std::string& body) {
  const auto module = ptx::parse(
      ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred "
      "%p<8>;\n"
      ".reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n.shared .align 4 .b8 s[64];\nmov.u32 %r1, "
      "%tid.x;\n" +
          body + "ret;\n}\n",
      "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  const auto& function = module->functions.at(0);
  const auto found = selected_loads(function);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (function.body[i].op == ptx::Op::Ld && function.body[i].space == ptx::Space::Shared) return found[i];
  }
  return {};
}

}  // namespace

TEST_CASE("a load is read where its value is selected") {
  const SelectedLoad load = of_load(
      "setp.lt.u32 %p1, %r1, 3;\nld.shared.f32 %f1, [s];\nadd.f32 %f2, %f1, 0f3F800000;\n"
      "selp.f32 %f3, 0f00000000, %f2, %p1;\nst.shared.f32 [s+4], %f3;\n");
  CHECK(load.known);
  CHECK_FALSE(load.when);
  CHECK_FALSE(load.compares);
}

TEST_CASE("a load is read where the branch leads to what reads it") {
  const SelectedLoad load = of_load(
      "ld.shared.f32 %f1, [s];\nbar.sync 0;\nsetp.ne.s32 %p1, %r1, 33;\n@%p1 bra END;\n"
      "add.f32 %f2, %f1, 0f3F800000;\nst.shared.f32 [s+4], %f2;\nEND:\n");
  CHECK(load.known);
  CHECK(load.when);
  CHECK(load.compares);
  CHECK(load.number == 33);
}

TEST_CASE("the side of a branch counts, and blocks between") {
  const SelectedLoad load = of_load(
      "setp.eq.s32 %p1, %r1, 0;\nsetp.gt.s32 %p2, %r1, 5;\nld.shared.f32 %f1, [s];\nbar.sync 0;\n"
      "@%p1 bra END;\nbra.uni NEXT;\nNEXT:\nadd.f32 %f2, %f1, 0f3F800000;\nst.shared.f32 [s+4], "
      "%f2;\nEND:\n");
  CHECK(load.known);
  CHECK_FALSE(load.when);
  CHECK_FALSE(load.compares);
}

TEST_CASE("a load that is read before the branch too, or where ways join, is read by all") {
  CHECK_FALSE(
      of_load("ld.shared.f32 %f1, [s];\nst.shared.f32 [s+8], %f1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\n"
              "st.shared.f32 [s+4], %f1;\nEND:\n")
          .known);
  CHECK_FALSE(
      of_load("ld.shared.f32 %f1, [s];\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\nst.shared.u32 [s+4], %r1;\n"
              "END:\nst.shared.f32 [s+8], %f1;\n")
          .known);
  CHECK_FALSE(of_load("setp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\nld.shared.f32 %f1, [s];\n"
                      "st.shared.f32 [s+4], %f1;\nEND:\n")
                  .known);
}

TEST_CASE("a load is read where the other side of a logical operation leaves it anything to decide") {
  const std::string asks =
      "ld.shared.f32 %f1, [s];\nsetp.ne.s32 %p1, %r1, 0;\nsetp.eq.f32 %p2, %f1, 0f00000000;\n";
  const std::string uses = "bra END;\nst.shared.f32 [s+4], %f1;\nEND:\n";
  for (const std::string& both :
       {asks + "or.pred %p3, %p1, %p2;\n@%p3 " + uses,
        asks + "not.pred %p4, %p2;\nnot.pred %p5, %p1;\nand.pred %p3, %p4, %p5;\n@!%p3 " + uses}) {
    const SelectedLoad load = of_load(both);
    CHECK(load.known);
    CHECK(load.compares);
    CHECK(load.when);
    CHECK(load.number == 0);
  }
  // The value decides only together with another predicate, or has another use.
  CHECK_FALSE(of_load(asks + "and.pred %p3, %p1, %p2;\n@%p3 " + uses).known);
  CHECK_FALSE(of_load(asks + "st.shared.f32 [s+8], %f1;\nor.pred %p3, %p1, %p2;\n@%p3 " + uses).known);
  CHECK_FALSE(of_load(asks + "@%p2 " + uses).known);
}

}  // namespace cudalabs::sim
