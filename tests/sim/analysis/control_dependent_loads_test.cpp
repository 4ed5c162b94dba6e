#include "grader/sim/analysis/control_dependent_loads.h"

#include <string>

#include "tests/sim/lower/function_of.h"

namespace cudalabs::sim {
namespace {

/// %rd1 is the parameter, %r1 a word at that address, `tile` a shared word.
bool decide(const std::string& body) {
  const ptx::Function f = function_of(
      ".shared .align 4 .b32 tile;\nld.param.u64 %rd1, [p];\nld.volatile.global.u32 %r1, [%rd1];\n" + body);
  return loads_decide(f, Dataflow(f));
}

}  // namespace

TEST_CASE("what is loaded of global memory decides nothing where it is summed up and stored there",
          "[decisive]") {
  CHECK(!decide(
      "ld.volatile.global.u32 %r2, [%rd1+64];\nadd.u32 %r3, %r1, %r2;\n"
      "st.volatile.global.u32 [%rd1], %r3;\nld.global.u32 %r4, [%rd1];\nst.global.u32 [%rd1+4], %r4;"));
  // The condition does not depend on the load.
  CHECK(!decide(
      "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 32;\n@%p1 bra D;\nst.global.u32 [%rd1], %r1;\nD:"));
  CHECK(
      !decide("st.shared.u32 [tile], 1;\nbar.sync 0;\nld.shared.u32 %r2, [tile];\nsetp.lt.u32 %p1, %r2, 32;\n"
              "@%p1 st.global.u32 [%rd1], %r1;"));
}

TEST_CASE("what is loaded of global memory may decide by whatever is not followed", "[decisive]") {
  CHECK(decide("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra D;\nD:"));
  CHECK(decide("add.u32 %r2, %r1, 1;\nxor.b32 %r3, %r2, 5;\nsetp.eq.u32 %p1, %r3, 0;"));
  CHECK(decide("cvt.u64.u32 %rd2, %r1;\nadd.u64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], 1;"));
  CHECK(decide("st.shared.u32 [tile], %r1;"));
  CHECK(decide("st.u32 [%rd1], %r1;"));
  CHECK(decide("red.global.add.u32 [%rd1], %r1;"));
  CHECK(decide("add.cc.u32 %r2, %r1, 1;\naddc.u32 %r3, 0, 0;"));
  CHECK(decide("bar.sync %r1;"));
  CHECK(decide("bar.red.popc.u32 %r2, %r1, %p1;"));
  CHECK(decide("mbarrier.arrive.shared.b64 %rd2, [tile], %r1;"));
  CHECK(decide("shfl.sync.idx.b32 %r2, %r3, 0, 31, %r1;"));
  // Control depends on another load, which reads the stored result of the first.
  CHECK(decide("st.global.u32 [%rd1+4], %r1;\nld.global.u32 %r2, [%rd1+4];\nsetp.eq.u32 %p1, %r2, 0;"));
  CHECK(decide("ld.u32 %r2, [%rd1+4];\nsetp.eq.u32 %p1, %r2, 0;"));
  CHECK(
      decide("mov.u64 %rd2, tile;\ncvt.u32.u64 %r2, %rd2;\n"
             "cp.async.ca.shared.global [%r2], [%rd1], 4;"));
}

}  // namespace cudalabs::sim
