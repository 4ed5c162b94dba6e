// Matrix instructions, asynchronous copies and barriers in shared memory: their counts, faults and rejected
// forms. programs/ checks their results (wmma.cu, mma.cu, async.cu, barriers.cu).

#include <cstring>
#include <string>
#include <vector>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// A kernel of one block. %rd1: a buffer of 4096 numbers (16 bits: i); %r1: lane; %r2: a shared array of 4096
/// bytes; f0 to f31: 32 registers, initially zero.
std::string kernel(const std::string& body) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f64 %d<9>; .reg .b16 %h<9>; .reg .b32 "
      "f<32>;\n"
      ".shared .align 128 .b8 s[4096];\n"
      "ld.param.u64 %rd1, [in]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n";
  for (int i = 0; i < 32; ++i) text += "mov.b32 f" + std::to_string(i) + ", 0;\n";
  return text + body + "\nret;\n}\n";
}

std::string list(int first, int count) {
  std::string text = "{";
  for (int i = first; i < first + count; ++i) text += (i > first ? ", f" : "f") + std::to_string(i);
  return text + "}";
}

struct MatrixRun {
  sim::LaunchResult result;
  std::vector<std::uint16_t> buffer;
};

MatrixRun run_matrix(const std::string& body, std::uint32_t threads = 32) {
  INFO(body);
  sim::Simulator simulator;
  const auto module = simulator.load(kernel(body), "matrix.ptx");
  if (!module) FAIL(module.problem().text());
  const auto buffer = simulator.allocate(8192);
  REQUIRE(buffer.ok());
  const auto bytes = simulator.bytes(*buffer, 8192);
  for (std::uint16_t i = 0; i < 4096; ++i) std::memcpy(bytes.data() + 2 * i, &i, 2);
  auto result = simulator.launch(**module, "k", {{1, 1, 1}, {threads, 1, 1}, 0, false},
                                 std::as_bytes(std::span(&*buffer, 1)));
  if (!result) FAIL(result.problem().text());
  MatrixRun r{std::move(*result), std::vector<std::uint16_t>(4096)};
  std::memcpy(r.buffer.data(), bytes.data(), 8192);
  return r;
}

sim::Counters counted(const std::string& body) {
  const MatrixRun r = run_matrix(body);
  INFO(body);
  INFO(r.result.fault.text());
  REQUIRE(r.result.ok());
  return r.result.counters;
}

std::string fault(const std::string& body, std::uint32_t threads = 32) {
  const MatrixRun r = run_matrix(body, threads);
  INFO(body);
  REQUIRE_FALSE(r.result.ok());
  return r.result.fault.message.english();
}

std::string refusal(const std::string& body) {
  sim::Simulator simulator;
  const auto module = simulator.load(kernel(body), "matrix.ptx");
  INFO(body);
  REQUIRE_FALSE(module.ok());
  return module.problem().text();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// %r3: the address of the lane's row; rows are `bytes` apart.
std::string rows(int bytes) { return "mad.lo.u32 %r3, %r1, " + std::to_string(bytes) + ", %r2;\n"; }
/// First copies the rows of four matrices (`bytes` apart) from global to shared memory.
const std::string kFilled =
    "mad.lo.u32 %r3, %r1, 16, %r2; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd3, %rd1, %rd2;"
    "ld.global.v4.b32 {f0, f1, f2, f3}, [%rd3]; st.shared.v4.b32 [%r3], {f0, f1, f2, f3}; bar.warp.sync "
    "0xFFFFFFFF;\n";

}  // namespace

TEST_CASE("ldmatrix counts a pass for each matrix and no load instruction", "[matrix]") {
  struct Case {
    const char* form;
    int matrices, row_bytes;
    std::uint64_t wavefronts;
  };
  for (const Case& c :
       {Case{"x4", 4, 16, 4}, Case{"x4", 4, 32, 8}, Case{"x4", 4, 128, 32}, Case{"x4", 4, 80, 4},
        Case{"x2", 2, 16, 2}, Case{"x2", 2, 128, 16}, Case{"x1", 1, 16, 1}, Case{"x1", 1, 64, 4}}) {
    for (const std::string trans : {"", ".trans"}) {
      const auto counters = counted(rows(c.row_bytes) + "ldmatrix.sync.aligned.m8n8." + c.form + trans +
                                    ".shared.b16 " + list(0, c.matrices) + ", [%r3];");
      CHECK(counters.shared_load_instructions == 0);
      CHECK(counters.shared_load_wavefronts == c.wavefronts);
      CHECK(counters.shared_load_bank_conflicts == c.wavefronts - static_cast<std::uint64_t>(c.matrices));
    }
    const auto stores = counted(rows(c.row_bytes) + "stmatrix.sync.aligned.m8n8." + c.form +
                                ".shared.b16 [%r3], " + list(0, c.matrices) + ";");
    CHECK(stores.shared_store_instructions == 0);
    CHECK(stores.shared_store_wavefronts == c.wavefronts);
    CHECK(stores.shared_store_bank_conflicts == c.wavefronts - static_cast<std::uint64_t>(c.matrices));
  }
}

TEST_CASE("stmatrix puts back what ldmatrix took", "[matrix]") {
  for (const std::string trans : {"", ".trans"}) {
    const MatrixRun r = run_matrix(kFilled + "ldmatrix.sync.aligned.m8n8.x4" + trans +
                                   ".shared.b16 {f4, f5, f6, f7}, [%r3];"
                                   "stmatrix.sync.aligned.m8n8.x4" +
                                   trans +
                                   ".shared.b16 [%r3+1024], {f4, f5, f6, f7};"
                                   "bar.warp.sync 0xFFFFFFFF; ld.shared.v4.b32 {f0, f1, f2, f3}, [%r3+1024];"
                                   "st.global.v4.b32 [%rd3+4096], {f0, f1, f2, f3};");
    REQUIRE(r.result.ok());
    for (std::size_t i = 0; i < 256; ++i) CHECK(r.buffer[2048 + i] == i);
  }
  const MatrixRun r =
      run_matrix(kFilled +
                 "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {f4, f5, f6, f7}, [%r3];"
                 "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r3+1024], {f4, f5, f6, f7};"
                 "bar.warp.sync 0xFFFFFFFF; ld.shared.v4.b32 {f0, f1, f2, f3}, [%r3+1024];"
                 "st.global.v4.b32 [%rd3+4096], {f0, f1, f2, f3};");
  REQUIRE(r.result.ok());
  for (std::size_t m = 0; m < 4; ++m) {
    for (std::size_t i = 0; i < 64; ++i) CHECK(r.buffer[2048 + 64 * m + i] == 64 * m + i % 8 * 8 + i / 8);
  }
}

TEST_CASE("wmma loads and stores count as the machine instructions that they become", "[matrix]") {
  // Taken from ptxas 13.0 for sm_80 and sm_90.
  const auto load = [](const std::string& form, int registers, const std::string& address, int stride) {
    return "wmma.load." + form + " " + list(0, registers) + ", [" + address + "], " + std::to_string(stride) +
           ";";
  };
  auto c = counted(load("a.sync.aligned.row.m16n16k16.shared.f16", 8, "%r2", 16));  // LDSM.4
  CHECK(c.shared_load_instructions == 0);
  CHECK(c.shared_load_wavefronts == 8);
  CHECK(counted(load("a.sync.aligned.col.m16n16k16.shared.f16", 8, "%r2", 24)).shared_load_wavefronts == 4);
  // LDSM.2
  CHECK(counted(load("b.sync.aligned.row.m32n8k16.shared.f16", 8, "%r2", 8)).shared_load_wavefronts == 2);
  CHECK(counted(load("a.sync.aligned.row.m16n16k16.shared.s8", 2, "%r2", 16)).shared_load_wavefronts == 2);
  c = counted(load("a.sync.aligned.col.m16n16k16.shared.s8", 2, "%r2", 16));  // LDS.U8, one for each element
  CHECK(c.shared_load_instructions == 8);
  c = counted(load("c.sync.aligned.row.m16n16k16.shared.f32", 8, "%r2", 16));  // LDS.64
  CHECK(c.shared_load_instructions == 4);
  c = counted(load("c.sync.aligned.col.m16n16k16.shared.f32", 8, "%r2", 16));  // LDS
  CHECK(c.shared_load_instructions == 8);
  c = counted(load("c.sync.aligned.col.m8n32k16.shared.s32", 8, "%r2", 8));  // the transposed product: LDS.64
  CHECK(c.shared_load_instructions == 4);
  c = counted(
      load("a.sync.aligned.row.m16n16k16.global.f16", 8, "%rd1", 16));  // LDG, 8 rows of 16 bytes each
  CHECK(c.global_load_requests == 4);
  CHECK(c.global_load_sectors == 32);
  c = counted("wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%d1}, [%rd1], 4;");
  CHECK(c.global_load_requests == 1);
}

TEST_CASE("cp.async is a global load and no shared store", "[matrix]") {
  const auto c = counted(
      "mad.lo.u32 %r3, %r1, 16, %r2; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd3, %rd1, %rd2;"
      "cp.async.cg.shared.global [%r3], [%rd3], 16; cp.async.commit_group; cp.async.wait_group 0;");
  CHECK(c.global_load_requests == 1);
  CHECK(c.global_load_sectors == 16);
  CHECK(c.shared_store_instructions == 0);
  CHECK(c.shared_store_wavefronts == 0);
}

TEST_CASE("matrix operations fault with what is wrong", "[matrix]") {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {f0, f1, f2, f3}, [%r3];";
  CHECK(has(fault(rows(144) + load), "(shared memory) out of bounds"));
  CHECK(has(fault(rows(8) + load), "misaligned"));
  CHECK(has(fault(rows(16) + load, 16), "a divergent warp executes a matrix operation: 16 of its 32 lanes"));
  CHECK(has(fault(rows(16) + "setp.lt.u32 %p1, %r1, 8; @%p1 ret; " + load),
            "a divergent warp executes a matrix operation: 24 of its 32 lanes"));
  CHECK(has(fault("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + list(0, 8) + ", [%rd1+7712], 16;"),
            "out of bounds"));
  CHECK(has(fault("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], " + list(0, 8) + ", 256;"),
            "out of bounds"));
  CHECK(has(fault("ldmatrix.sync.aligned.m8n8.x1.b16 {f0}, [%rd1];"), "not in shared memory"));
}

TEST_CASE("barriers in shared memory fault with what is wrong", "[matrix]") {
  CHECK(has(fault("mbarrier.arrive.shared.b64 %rd2, [%r2];"), "an uninitialized barrier"));
  CHECK(has(fault("mbarrier.init.shared.b64 [%r2], 0;"), "0 arrivals"));
  CHECK(has(fault("mbarrier.init.shared.b64 [%r2+4], 1;"), "misaligned"));
  CHECK(has(fault("mbarrier.init.shared.b64 [%r2], 41; mbarrier.arrive.shared::cta.b64 _, [%r2], 2;"),
            "gets 2"));
}

TEST_CASE("a phase that cannot end is a deadlock", "[matrix]") {
  const std::string message = fault(
      "mbarrier.init.shared.b64 [%r2], 33; mbarrier.arrive.shared.b64 %rd2, [%r2];"
      "again: mbarrier.test_wait.shared.b64 %p1, [%r2], %rd2; @!%p1 bra again;");
  CHECK(has(message, "deadlock"));
  CHECK(has(message, "warp 0 for a phase of a cuda::barrier"));
}

TEST_CASE("what is not simulated is refused at load", "[matrix]") {
  CHECK(has(refusal("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 " + list(0, 8) +
                    ", {f8, f9}, {f10, f11}, " + list(0, 8) + ";"),
            "not simulated"));
  CHECK(has(refusal("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + list(0, 4) + ", " + list(4, 2) +
                    ", " + list(8, 2) + ", " + list(0, 4) + ";"),
            "registers"));
  CHECK(has(refusal("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 " + list(0, 4) + ", " + list(4, 4) +
                    ", " + list(8, 2) + ", " + list(0, 4) + ";"),
            ".row.col"));
  CHECK(has(refusal("mbarrier.arrive.shared.b64 %r1, [%r2];"), "operands"));
  CHECK(has(refusal("mbarrier.test_wait.shared.b64 %p1, [%r2];"), "operands"));
  CHECK(has(refusal("mbarrier.init.shared.b64;"), "operands"));
}
