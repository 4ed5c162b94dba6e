#include "grader/sim/lower/register_slots.h"

#include <string>

#include "tests/sim/lower/function_of.h"

namespace cudalabs::sim {
namespace {

std::uint32_t slot_of(const ptx::Function& f, const std::string& name) {
  const RegisterSlots slots = share_slots(f, Dataflow(f));
  for (std::size_t r = 0; r < f.registers.size(); ++r) {
    if (f.registers[r].name == name) return slots.shared[r];
  }
  FAIL("no register " + name);
  return 0;
}

}  // namespace

TEST_CASE("registers that never live together share a slot") {
  const ptx::Function f = function_of(
      "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;\nadd.u32 %r4, %r3, 1;\n"
      "st.shared.u32 [%r4], %r4;");
  CHECK(slot_of(f, "%r3") == slot_of(f, "%r1"));
  CHECK(slot_of(f, "%r2") != slot_of(f, "%r1"));  // an instruction may write before it has read everything
  CHECK(slot_of(f, "%p1") == RegisterSlots::kOwn);
}

TEST_CASE("a value that a loop needs again keeps its slot through the loop") {
  const ptx::Function f = function_of(
      "mov.u32 %r1, 5;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, %r1;\nmul.lo.u32 %r3, %r2, %r2;\n"
      "st.shared.u32 [%r3], %r3;\nsetp.lt.u32 %p1, %r2, 50;\n@%p1 bra L;\nadd.u32 %r4, %r2, 1;\n"
      "st.shared.u32 [%r4], %r4;");
  CHECK(slot_of(f, "%r3") != slot_of(f, "%r1"));
  CHECK(slot_of(f, "%r3") != slot_of(f, "%r2"));
  CHECK(slot_of(f, "%r4") != slot_of(f, "%r2"));
  CHECK(slot_of(f, "%r4") <= 2);
}

TEST_CASE("a write under a guard does not end the life of the old value") {
  const ptx::Function f = function_of(
      "mov.u32 %r1, 5;\nmov.u32 %r2, 6;\nsetp.eq.u32 %p1, %r2, 0;\nadd.u32 %r3, %r2, 1;\n"
      "@%p1 mov.u32 %r1, %r3;\nst.shared.u32 [%r1], %r1;");
  CHECK(slot_of(f, "%r2") != slot_of(f, "%r1"));
  CHECK(slot_of(f, "%r3") != slot_of(f, "%r1"));
}

TEST_CASE("a value of one side of a branch does not disturb one that the other side needs") {
  const ptx::Function f = function_of(
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra ELSE;\nadd.u32 %r2, %r1, 1;\n"
      "st.shared.u32 [%r2], %r2;\nbra END;\nELSE:\nadd.u32 %r3, %r1, 2;\nst.shared.u32 [%r3], %r3;\nEND:\n"
      "st.shared.u32 [%r1], %r1;");
  CHECK(slot_of(f, "%r2") != slot_of(f, "%r1"));
  CHECK(slot_of(f, "%r3") != slot_of(f, "%r1"));
  CHECK(slot_of(f, "%r3") == slot_of(f, "%r2"));
}

}  // namespace cudalabs::sim
