#include "grader/sim/analysis/waiting_loops.h"

#include <algorithm>
#include <string>

#include "tests/sim/lower/function_of.h"

namespace cudalabs::sim {
namespace {

/// %rd1 is the parameter, %rd3 is the same, %r9 is 0, `tile` is a shared word; the final value of %r1 is
/// stored.
ptx::Function waiting_body(const std::string& body) {
  return function_of(
      ".shared .align 4 .b32 tile;\nld.param.u64 %rd1, [p];\nmov.u32 %r9, 0;\nmov.u64 %rd3, %rd1;\n" + body +
      "\nst.global.u32 [%rd1], %r1;");
}

std::ptrdiff_t waiting(const std::string& body) {
  const ptx::Function f = waiting_body(body);
  const std::vector<bool> found = waiting_loops(f, Dataflow(f)).branches;
  return std::ranges::count(found, true);
}

}  // namespace

TEST_CASE("loops wait whose end is decided by one word that they look at again", "[waiting]") {
  CHECK(waiting("L: ld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;") == 1);
  CHECK(waiting("L: add.u64 %rd2, %rd1, 8;\nld.acquire.gpu.global.u32 %r1, [%rd2];\n"
                "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;") == 1);
  CHECK(waiting("L: atom.global.cas.b32 %r1, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;") == 1);
  // The exit is in the middle, and depends on a word of shared memory.
  CHECK(waiting("L: ld.volatile.global.u32 %r1, [%rd1];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra D;\n"
                "nanosleep.u32 20;\nbra L;\nD:") == 1);
  CHECK(waiting(
            "L: atom.global.add.u32 %r1, [%rd1], 1;\nst.shared.u32 [tile], %r1;\nbar.sync 0;\n"
            "ld.shared.u32 %r2, [tile];\nsetp.gt.u32 %p1, %r2, 99;\n@%p1 bra D;\nbar.sync 0;\nbra L;\nD:") ==
        1);
}

TEST_CASE("loops wait for nobody that count, take another word or try again with what they found",
          "[waiting]") {
  CHECK(waiting("L: ld.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;") == 0);
  CHECK(waiting("L: atom.global.add.u32 %r1, [%rd1], 1;\nadd.u32 %r9, %r9, 1;\n"
                "setp.lt.u32 %p1, %r9, 9;\n@%p1 bra L;") == 0);
  CHECK(waiting("L: ld.volatile.global.u32 %r1, [%rd3];\nadd.u64 %rd3, %rd3, 4;\n"
                "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;") == 0);
  CHECK(waiting("L: mov.u32 %r2, %r9;\nadd.u32 %r3, %r2, 5;\natom.global.cas.b32 %r9, [%rd1], %r2, %r3;\n"
                "setp.ne.u32 %p1, %r9, %r2;\n@%p1 bra L;") == 0);
}

TEST_CASE("each register of a loop is looked at once", "[waiting]") {
  // Four edges from each row to each of the previous one: 4^14 paths, for each of the loads.
  std::string rows = ".reg .b32 %a<64>;\nL: ";
  for (int row = 1; row < 15; ++row) {
    for (int k = 0; k < 4; ++k) {
      rows += "bfi.b32 %a" + std::to_string(4 * row + k);
      for (int from = 0; from < 4; ++from) rows += ", %a" + std::to_string(4 * (row - 1) + from);
      rows += ";\n";
    }
  }
  rows += "cvt.u64.u32 %rd2, %a56;\nadd.u64 %rd4, %rd1, %rd2;\n";
  for (int load = 0; load < 2000; ++load) rows += "ld.volatile.global.u32 %r1, [%rd4];\n";
  CHECK(waiting(rows + "setp.eq.u32 %p1, %r1, 1;\n@%p1 bra L;") == 1);
}

TEST_CASE("the search for loops that wait has an end", "[waiting]") {
  std::string loops;
  for (int i = 0; i < 10'000; ++i) {
    loops += "L" + std::to_string(i) +
             ": ld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra L" +
             std::to_string(i / 2) + ";\n";
  }
  CHECK(waiting(loops) > 0);
}

}  // namespace cudalabs::sim
