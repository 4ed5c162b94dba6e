// The waiting time of blocks that wait for each other in a chain. The time of a release-acquire step was
// measured on an H200 (bench/estimate/kernels/hand_over.cuh).

#include "grader/sim/timing/chains.h"

#include <cmath>
#include <string>

#include "tests/sim/text_kernel.h"

using namespace cudalabs::sim;

namespace {

constexpr double kHandOver = 1300, kFence = 280;

/// The longest chain after blocks of one warp ran `body`, with the block's number in %r1 and the number of
/// blocks in %r2; [%rd1] and the memory after it are zero.
double clocks(const std::string& body, unsigned blocks = 5, unsigned threads = 1) {
  const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<20>;
  .reg .b64 %rd<4>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
)" + body + "\n  ret;\n}\n";
  TextKernel kernel(ptx);
  ChainObserver observer;
  LaunchOptions options;
  options.observers.push_back(&observer);
  const LaunchResult result = kernel.launch(kernel.zeros(1 << 16), blocks, threads, options);
  INFO(result.fault.message.english());
  CHECK(result.fault.kind == FaultKind::None);
  return observer.clocks();
}

const std::string kTake =
    "T: atom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra T;\n";
const std::string kGive = "atom.global.exch.b32 %r4, [%rd1], 0;\n";
const std::string kTurn = "T: ld.volatile.global.u32 %r3, [%rd1];\nsetp.ne.u32 %p1, %r3, %r1;\n@%p1 bra T;\n";
const std::string kNext = "add.u32 %r4, %r1, 1;\nst.volatile.global.u32 [%rd1], %r4;\n";

/// All blocks synchronize; %r10 counts the rounds.
std::string meeting(int rounds, const std::string& look) {
  return "mov.u32 %r10, 0;\nmov.u32 %r11, 0;\nR: add.u32 %r11, %r11, %r2;\nred.global.add.u32 [%rd1], 1;\n"
         "T: " +
         look + " %r3, [%rd1]" + (look.starts_with("atom") ? ", 0" : "") +
         ";\nsetp.lt.u32 %p1, %r3, %r11;\n@%p1 bra T;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p2, %r10, " +
         std::to_string(rounds) + ";\n@%p2 bra R;";
}

}  // namespace

TEST_CASE("who takes a lock, or its turn, waits for all before it", "[model]") {
  CHECK(clocks(kTake + kGive) == 4 * kHandOver);
  CHECK(clocks(kTake + kGive, 1, 32) == 31 * kHandOver);
  CHECK(clocks(kTurn + kNext) == 4 * kHandOver);
  CHECK(clocks(kTurn + kNext, 1000) == 999 * kHandOver);
}

TEST_CASE("fences on the way of a chain take their time", "[model]") {
  // The first block does not wait for any other.
  CHECK(clocks(kTake + "membar.gl;\n" + kGive) == 4 * kHandOver + 4 * kFence);
  CHECK(clocks(kTake + "membar.cta;\n" + kGive) == 4 * kHandOver);
}

TEST_CASE("all who meet wait once a round, however the others' next round falls", "[model]") {
  CHECK(clocks(meeting(1, "ld.volatile.global.u32")) == kHandOver);
  CHECK(clocks(meeting(7, "ld.volatile.global.u32")) == 7 * kHandOver);
  CHECK(clocks(meeting(7, "atom.global.add.u32"), 50) == 7 * kHandOver);
}

TEST_CASE("the warps of a block go on from its barrier together", "[model]") {
  const std::string by_first_and_last = "mov.u32 %r5, %tid.x;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra A;\n" +
                                        kTurn + "A: bar.sync 0;\nsetp.ne.u32 %p2, %r5, 63;\n@%p2 bra B;\n" +
                                        kNext + "B:";
  CHECK(clocks(by_first_and_last, 5, 64) == 4 * kHandOver);
}

TEST_CASE("who looks back for as much as is known waits for a few", "[model]") {
  // Each block first publishes its own value, then the sum with all earlier ones; the next block looks for
  // either.
  const std::string look_back =
      "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nst.volatile.global.u32 [%rd2+4], 1;\n"
      "setp.eq.u32 %p2, %r1, 0;\n@%p2 bra F;\n"
      "T: ld.volatile.global.u32 %r3, [%rd2];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra T;\n"
      "F: st.volatile.global.u32 [%rd2+4], 2;";
  CHECK(clocks(look_back, 2) == kHandOver);
  CHECK(clocks(look_back, 3) == 1.5 * kHandOver);
  CHECK(clocks(look_back, 1000) == Approx(std::sqrt(2 * 999.0) * kHandOver).epsilon(0.05));
}

TEST_CASE("nobody waits who draws work, counts himself or tries again", "[model]") {
  CHECK(clocks("T: atom.global.add.u32 %r3, [%rd1], 1;\nsetp.lt.u32 %p1, %r3, 20;\n@%p1 bra T;") == 0);
  CHECK(clocks("membar.gl;\natom.global.add.u32 %r3, [%rd1], 1;\nsetp.ne.u32 %p1, %r3, 4;\n@%p1 bra T;\n"
               "ld.volatile.global.u32 %r4, [%rd1];\nT:") == 0);
  CHECK(clocks("mov.u32 %r9, 0;\nT: mov.u32 %r5, %r9;\nadd.u32 %r6, %r5, 1;\n"
               "atom.global.cas.b32 %r9, [%rd1], %r5, %r6;\nsetp.ne.u32 %p1, %r9, %r5;\n@%p1 bra T;") == 0);
  CHECK(clocks("st.volatile.global.u32 [%rd1], 1;\nld.volatile.global.u32 %r3, [%rd1];") == 0);
}
