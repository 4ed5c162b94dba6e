#include "grader/sim/analysis/wide_accesses.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// For each access of shared memory in `body`: the width of the wide access that it starts, "-" if it is part
/// of one, "." if it is separate.
std::string of_accesses(const std::string& body) {
  const auto module = ptx::parse(
      ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred "
      "%p<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<16>;\n.reg .f64 %d<8>;\n.reg .b64 %rd<8>;\n"
      ".shared .align 4 .b8 s[4096];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, s;\n"
      "add.s32 %r4, %r3, %r2;\nshl.b32 %r5, %r1, 2;\nadd.s32 %r6, %r3, %r5;\nld.param.u64 %rd1, [out];\n" +
          body + "ret;\n}\n",
      "test");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  const auto& function = module->functions.at(0);
  const auto found = wide_accesses(function);
  std::string said;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    if (function.body[i].space != ptx::Space::Shared) continue;
    if (!said.empty()) said += " ";
    if (found.empty() || (found[i].width == 0 && !found[i].part))
      said += ".";
    else
      said += found[i].part ? "-" : std::to_string(found[i].width);
  }
  return said;
}

std::string loads(const std::string& base, std::initializer_list<int> offsets) {
  std::string text;
  for (const int offset : offsets)
    text += "ld.shared.f32 %f1, [" + base + "+" + std::to_string(offset) + "];\n";
  return text;
}

}  // namespace

TEST_CASE("four neighbours are one load of 16 bytes, in whatever order") {
  CHECK(of_accesses(loads("%r4", {0, 4, 8, 12})) == "16 - - -");
  CHECK(of_accesses(loads("%r4", {12, 0, 8, 4, 16})) == "16 - - - .");
  CHECK(of_accesses("ld.shared.f64 %d1, [%r4+8];\nld.shared.f64 %d2, [%r4];\n") == "16 -");
}

TEST_CASE("two neighbours are one load of 8 bytes where it is aligned") {
  CHECK(of_accesses(loads("%r4", {0, 4, 8})) == "8 - .");
  CHECK(of_accesses(loads("%r4", {8, 12})) == "8 -");
  CHECK(of_accesses(loads("%r4", {4, 8})) == ". .");
  CHECK(of_accesses(loads("%r4", {0, 8})) == ". .");
}

TEST_CASE("what is not known to be aligned stays as it is") {
  CHECK(of_accesses(loads("%r6", {0, 4, 8, 12})) == ". . . .");
  CHECK(of_accesses("shl.b32 %r7, %r1, 3;\nadd.s32 %r8, %r3, %r7;\n" + loads("%r8", {0, 4, 8, 12})) ==
        "8 - 8 -");
}

TEST_CASE("the address of a loop is aligned if its steps are") {
  const auto loop = [](int step) {
    return of_accesses("mov.u32 %r9, s;\nL:\n" + loads("%r9", {0, 4, 8, 12}) + "add.s32 %r9, %r9, " +
                       std::to_string(step) + ";\nsetp.lt.u32 %p1, %r9, %r1;\n@%p1 bra L;\n");
  };
  CHECK(loop(16) == "16 - - -");
  CHECK(loop(24) == "8 - 8 -");
  CHECK(loop(4) == ". . . .");
}

TEST_CASE("a store that may meet the place keeps loads apart, one to global memory does not") {
  CHECK(of_accesses(loads("%r4", {0}) + "st.shared.f32 [%r6], %f1;\n" + loads("%r4", {4})) == ". . .");
  CHECK(of_accesses(loads("%r4", {0}) + "st.global.f32 [%rd1], %f1;\n" + loads("%r4", {4})) == "8 -");
  CHECK(of_accesses(loads("%r4", {0}) + "st.f32 [%rd1], %f1;\n" + loads("%r4", {4})) == ". .");
  CHECK(of_accesses(loads("%r4", {0}) + "bar.sync 0;\n" + loads("%r4", {4})) == ". .");
}

TEST_CASE("neighbouring stores are one where nothing else may be stored between") {
  CHECK(of_accesses("st.shared.f32 [%r4], %f1;\nst.shared.f32 [%r4+4], %f2;\n") == "8 -");
  CHECK(of_accesses("st.shared.f32 [%r4], %f1;\nst.shared.f32 [%r6], %f3;\nst.shared.f32 [%r4+4], %f2;\n") ==
        ". . .");
}

TEST_CASE("volatile and guarded accesses stay as they are") {
  CHECK(of_accesses("ld.volatile.shared.f32 %f1, [%r4];\nld.volatile.shared.f32 %f2, [%r4+4];\n") == ". .");
  CHECK(of_accesses("@%p1 ld.shared.f32 %f1, [%r4];\n@%p1 ld.shared.f32 %f2, [%r4+4];\n") == ". .");
}

}  // namespace cudalabs::sim
