#include "grader/sim/analysis/synchronizing_loads.h"

#include <algorithm>
#include <string>

#include "tests/sim/lower/function_of.h"

namespace cudalabs::sim {
namespace {

/// %rd1 is the parameter and `tile` a shared word; the final value of %r1 is stored.
ptx::Function around(const std::string& body) {
  return function_of(".shared .align 4 .b32 tile;\nld.param.u64 %rd1, [p];\n" + body +
                     "\nst.global.u32 [%rd1], %r1;");
}

std::uint32_t first(const ptx::Function& f, ptx::Op op, ptx::Mod mod) {
  const auto found = std::ranges::find_if(f.body, [&](const auto& in) { return in.op == op && in.has(mod); });
  REQUIRE(found != f.body.end());
  return static_cast<std::uint32_t>(found - f.body.begin());
}

const std::string load = "ld.volatile.global.u32 %r1, [%rd1];\n";

SynchronizingLoads::Use use(const std::string& body) {
  const ptx::Function f = around(body);
  const Dataflow flow(f);
  return SynchronizingLoads(f, flow).use(first(f, ptx::Op::Ld, ptx::Mod::Volatile));
}

bool decides(const std::string& body) { return use(body) != SynchronizingLoads::Use::Undecisive; }
bool asks(const std::string& body) { return use(body) == SynchronizingLoads::Use::Asks; }

bool behind_fence(const std::string& body) {
  const ptx::Function f = around(body);
  const Dataflow flow(f);
  return SynchronizingLoads(f, flow).behind_fence(first(f, ptx::Op::Atom, ptx::Mod::Add));
}

}  // namespace

TEST_CASE("a load decides if a branch depends on it, in registers or through a variable", "[strong]") {
  CHECK(decides(load + "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra D;\nmov.u32 %r1, 7;\nD:"));
  CHECK_FALSE(decides(load + "add.u32 %r1, %r1, 5;"));
  CHECK_FALSE(decides(load + "setp.gt.u32 %p1, %r1, 0;\nselp.u32 %r1, %r1, 5, %p1;"));
  const std::string again = "bar.sync 0;\nld.shared.u32 %r2, [tile];\n";
  CHECK(decides(load + "st.shared.u32 [tile], %r1;\n" + again +
                "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra D;\nmov.u32 %r1, 7;\nD:"));
  CHECK_FALSE(decides(load + "st.shared.u32 [tile], %r1;\n" + again + "add.u32 %r1, %r1, %r2;"));
}

TEST_CASE("who decides by a result of others asks nobody, unless it reads until that is there", "[strong]") {
  const std::string unless_zero = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra D;\nadd.u32 %r1, %r1, 5;\nD:";
  CHECK_FALSE(asks(load + unless_zero));
  CHECK_FALSE(asks("mov.u32 %r3, 0;\nL: " + load + unless_zero +
                   "\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 9;\n@%p2 bra L;"));
  CHECK_FALSE(asks(load + "st.shared.u32 [tile], %r1;\n" + unless_zero +
                   "\nld.shared.u32 %r2, [tile];\nadd.u32 %r1, %r2, 1;"));
  // The loaded value shows whether the data are ready.
  CHECK(asks("L: " + load + "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 5;"));
  CHECK(asks("L: " + load + "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra D;\nnanosleep.u32 20;\nbra L;\nD:"));
  // The same in a loop over pieces of work, in which both branches return for the next piece. A thread that
  // skips a piece does not wait.
  const std::string next_piece = "\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 9;\n@%p2 bra W;";
  CHECK(asks("W: mov.u32 %r5, 0;\nL: " + load +
             "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 5;" + next_piece));
  CHECK_FALSE(asks("W: mov.u32 %r5, 0;\nL: " + load + unless_zero +
                   "\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p3, %r5, 9;\n@%p3 bra L;" + next_piece));
  // The value is neither a result nor a part of one.
  const std::string flag = "ld.volatile.global.u32 %r4, [%rd1];\nsetp.eq.u32 %p1, %r4, 0;\n";
  CHECK(asks(flag + "mov.u32 %r1, 7;\n@%p1 bra D;\nmov.u32 %r1, 8;\nD:"));
  CHECK(asks(flag + "selp.u32 %r1, 5, 6, %p1;\n@%p1 bra D;\nmov.u32 %r1, 8;\nD:"));
}

TEST_CASE("a fence may come before an atomic on any way to it", "[strong]") {
  const std::string add = "atom.global.add.u32 %r1, [%rd1], 1;\n";
  CHECK(behind_fence("membar.gl;\n" + add));
  CHECK(behind_fence("L: " + add + "membar.gl;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;"));
  CHECK(behind_fence("mov.u32 %r2, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra D;\nmembar.gl;\nD: " + add));
  CHECK(behind_fence("atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;\n"));
  CHECK_FALSE(behind_fence(add));
  CHECK_FALSE(behind_fence(add + "membar.gl;"));
  CHECK_FALSE(behind_fence("membar.cta;\n" + add));
  const std::string store = "st.global.u32 [%rd1], %r2;\n";
  CHECK(behind_fence("mov.u32 %r2, 1;\n" + store + "membar.gl;\n" + add));
  CHECK(behind_fence("mov.u32 %r2, 1;\nmembar.gl;\nst.volatile.global.u32 [%rd1], %r2;\n" + add));
  CHECK(behind_fence("mov.u32 %r2, 1;\nmembar.gl;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 " + store + add));
  CHECK_FALSE(behind_fence("mov.u32 %r2, 1;\nmembar.gl;\n" + store + add));
}

}  // namespace cudalabs::sim
