// Atomics as the hardware counts them: the kernels of tests/sim/calibration/course.cu in PTX, and their
// rows of course.csv.

#include <cstring>
#include <string>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using sim::Counters;

namespace {

/// Runs a kernel on 4 blocks of 256 threads. Its first parameter points to 1024 integers (or doubles) that
/// hold i, and the second to as many zeros.
Counters count(const std::string& body, std::uint32_t blocks = 4, std::uint32_t threads = 256) {
  sim::Simulator simulator;
  const auto module = simulator.load(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .reg .f64 %d<9>; .reg .b16 "
      "%h<9>;\n"
      ".shared .align 8 .b8 s[2048];\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 "
      "%rd2, %rd2;\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;\n"
      "mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r5, [%rd4]; cvt.rn.f32.u32 %f1, "
      "%r5;\n"
      "cvt.f64.f32 %d1, %f1; cvt.u64.u32 %rd5, %r5; mov.u32 %r6, s; shl.b32 %r7, %r1, 2; add.s32 %r7, %r7, "
      "%r6;\n" +
          body + "\nret;\n}\n",
      "atomics.ptx");
  if (!module) FAIL(module.problem().text());
  sim::DevicePtr buffers[2];
  for (auto& buffer : buffers) {
    const auto allocated = simulator.allocate(8192);
    REQUIRE(allocated.ok());
    buffer = *allocated;
    std::memset(simulator.bytes(buffer, 8192).data(), 0, 8192);
  }
  for (std::uint32_t i = 0; i < 1024; ++i)
    std::memcpy(simulator.bytes(buffers[0], 8192).data() + 4 * i, &i, 4);
  const auto result = simulator.launch(**module, "k", {{blocks, 1, 1}, {threads, 1, 1}, 0, false},
                                       std::as_bytes(std::span(buffers)));
  if (!result) FAIL(result.problem().text());
  INFO(result->fault.text());
  REQUIRE(result->ok());
  return result->counters;
}

struct SharedAtomic {
  std::uint64_t instructions, wavefronts;
};
void check_shared(const std::string& body, SharedAtomic expected) {
  INFO(body);
  const Counters c = count(body);
  CHECK(c.shared_atomic_instructions == expected.instructions);
  CHECK(c.shared_atomic_wavefronts == expected.wavefronts);
  CHECK(c.shared_load_instructions == 0);
}

}  // namespace

TEST_CASE("a warp combines its operands for one address", "[atomics]") {
  // sum_atomic_shared<int>, sum_atomic_global<int>, count_atomic_global: one wavefront, one sector a warp
  check_shared("atom.shared.add.u32 %r8, [s], %r5;", {32, 32});
  check_shared("atom.shared.add.u32 %r8, [s], %r5; st.global.u32 [%rd4], %r8;", {32, 32});
  check_shared("red.shared.max.s32 [s], %r5;", {32, 32});
  for (const std::string text : {"red.global.add.u32 [%rd2], %r5;", "atom.global.add.u32 %r8, [%rd2], 1;",
                                 "red.global.add.u64 [%rd2], 1;",
                                 "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd6, %rd6, %rd2;"
                                 "red.global.add.u32 [%rd6], %r5;"}) {
    INFO(text);
    const Counters c = count(text);
    CHECK(c.global_atomic_requests == 32);
    CHECK(c.global_atomic_sectors == 32);
  }
}

TEST_CASE("what the warp does not combine", "[atomics]") {
  // sum_atomic_global<float> and <double>: 32 lanes on one address, 32 sectors
  for (const std::string text :
       {"red.global.add.f32 [%rd2], %f1;", "red.global.add.f64 [%rd2], %d1;",
        "red.global.add.u64 [%rd2], %rd5;", "red.global.inc.u32 [%rd2], %r5;",
        "atom.global.exch.b32 %r8, [%rd2], %r5;", "atom.global.cas.b32 %r8, [%rd2], 1, %r5;",
        "atom.global.max.s32 %r8, [%rd2], %r5; st.global.u32 [%rd4], %r8;",
        "shr.u32 %r9, %r1, 5; mul.wide.u32 %rd6, %r9, 4; add.s64 %rd6, %rd6, %rd2; red.global.add.u32 "
        "[%rd6], %r5;"}) {
    INFO(text);
    const Counters c = count(text);
    CHECK(c.global_atomic_requests == 32);
    CHECK(c.global_atomic_sectors == 1024);
  }
}

TEST_CASE("shared atomics by the lanes of a bank", "[atomics]") {
  const std::string pairs = "and.b32 %r8, %r7, -8;";  // two lanes an address
  check_shared("red.shared.add.u32 [%r7], %r5;", {32, 32});
  check_shared(pairs + "red.shared.add.u32 [%r8], %r5;", {32, 64});
  check_shared(pairs + "red.shared.add.u32 [%r8], 1;", {32, 32});  // lanes at one address share
  check_shared(pairs + "mov.u32 %r9, 1; atom.shared.add.u32 %r10, [%r8], %r9;", {32, 32});
  check_shared(pairs + "atom.shared.add.u32 %r9, [%r8], 1; st.global.u32 [%rd4], %r9;", {32, 64});
  check_shared(pairs + "atom.shared.cas.b32 %r9, [%r8], 1, 2;", {32, 128});
  // if_atomic: the first 20 threads of four blocks
  check_shared("setp.ge.s32 %p1, %r1, 20; @%p1 bra L; red.shared.add.u32 [%r7+4], 3;\nL:", {4, 4});
}

TEST_CASE("float adds in shared memory are rounds of a load and a swap", "[atomics]") {
  const auto rounds = [](const std::string& text, std::uint64_t loads, std::uint64_t load_wavefronts,
                         std::uint64_t wavefronts) {
    INFO(text);
    const Counters c = count(text);
    CHECK(c.shared_atomic_instructions == loads);
    CHECK(c.shared_load_instructions == loads);
    CHECK(c.shared_load_wavefronts == load_wavefronts);
    CHECK(c.shared_atomic_wavefronts == wavefronts);
  };
  rounds("red.shared.add.f32 [%r7], %f1;", 32, 32, 64);
  rounds("and.b32 %r8, %r7, -8; red.shared.add.f32 [%r8], %f1;", 64, 64, 128);
  rounds("shl.b32 %r8, %r1, 3; add.s32 %r8, %r8, %r6; red.shared.add.f64 [%r8], %d1;", 32, 64, 128);
  rounds("shl.b32 %r8, %r1, 3; add.s32 %r8, %r8, %r6; red.shared.add.u64 [%r8], %rd5;", 32, 64, 128);
  rounds("and.b32 %r8, %r7, -4; cvt.rn.f16.f32 %h1, %f1; red.shared.add.noftz.f16 [%r8], %h1;", 32, 32, 64);
}
