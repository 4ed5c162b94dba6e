// Machine code and the interpreter do the same for random programs: memory, counters by line, faults, and
// findings of the checkers. CUDA_LABS_FUZZ=N compares N million warp instructions, from a new seed.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "grader/sim/checkers/checkers.h"
#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/native/random_program.h"
#include "tests/sim/text_kernel.h"

namespace {

using namespace cudalabs::sim;
using cudalabs::test::kBlocks;
using cudalabs::test::kThreads;
using cudalabs::test::kThreadWords;
using cudalabs::test::kWords;

constexpr std::uint64_t kOut = (std::uint64_t{kThreads} * kBlocks * kThreadWords + kWords) * 4;

struct EngineRun {
  std::vector<std::byte> out;
  LaunchResult result;
  std::string findings;
  static std::map<std::uint32_t, Counters> by_line(const LaunchResult& result) {
    std::map<std::uint32_t, Counters> sums;
    for (const LineCounters& line : result.lines) sums[line.line] += line.counters;
    return sums;
  }
  bool operator==(const EngineRun& other) const {
    return out == other.out && result.fault.text() == other.result.fault.text() &&
           findings == other.findings && result.counters == other.result.counters &&
           by_line(result) == by_line(other.result);
  }
};

EngineRun run_on(const std::string& ptx, Engine engine, bool checked, std::uint64_t seed) {
  Simulator simulator;
  auto module = simulator.load(ptx, "random.ptx");
  INFO((module.ok() ? std::string() : module.problem().text()));
  REQUIRE(module.ok());
  const auto in = simulator.allocate(kWords * 4), out = simulator.allocate(kOut);
  REQUIRE((in.ok() && out.ok()));
  std::mt19937_64 random(seed);
  auto numbers = simulator.bytes(*in, kWords * 4);
  for (std::byte& b : numbers) b = static_cast<std::byte>(random());
  std::memset(simulator.bytes(*out, kOut).data(), 0, kOut);
  std::vector<std::byte> parameters(16);
  std::memcpy(parameters.data(), &*in, 8);
  std::memcpy(parameters.data() + 8, &*out, 8);
  LaunchOptions options;
  options.engine = engine;
  options.threads = 1;
  options.reversed = seed % 3 == 0;
  options.by_line = true;
  Checkers checkers(checked ? *parse_checkers("all") : CheckerSet{0});
  options.observers = checkers.observers();
  EngineRun run;
  auto launched =
      simulator.launch(**module, "k", {{kBlocks, 1, 1}, {kThreads, 1, 1}, 0, false}, parameters, options);
  REQUIRE(launched.ok());
  run.result = std::move(*launched);
  const auto bytes = simulator.bytes(*out, kOut);
  run.out.assign(bytes.begin(), bytes.end());
  for (const Finding& f : checkers.take()) run.findings += f.text() + "\n";
  return run;
}

/// The result of a valid program: equal in the interpreter, in machine code from the start, and in machine
/// code after warm-up.
EngineRun alike_by_both(const std::string& ptx, std::uint64_t seed) {
  EngineRun expected = run_on(ptx, Engine::Interpreter, false, seed);
  INFO(expected.result.fault.text());
  CHECK(expected.result.ok());
  for (const Engine engine : {Engine::Native, Engine::Auto})
    REQUIRE(run_on(ptx, engine, false, seed) == expected);
  return expected;
}

}  // namespace

/// Tests all vector register sizes of this machine.
TEST_CASE("both engines do the same with random programs", "[engines]") {
  const std::string vectors = GENERATE("widest", "avx2");
  if (vectors == "avx2" && !__builtin_cpu_supports("avx512f")) return;  // the widest ones
  ::setenv("CUDA_LABS_VECTORS", vectors.c_str(), 1);
  const char* const millions = std::getenv("CUDA_LABS_FUZZ");
  const std::uint64_t wanted = (millions != nullptr ? std::strtoull(millions, nullptr, 10) : 10) * 1000000;
  std::uint64_t seed = millions != nullptr ? std::random_device{}() : 1, done = 0;
  std::uint64_t faults = 0, programs = 0;
  for (; done < wanted; ++seed, ++programs) {
    const std::string ptx = cudalabs::test::random_program(seed);
    const bool checked = seed % 4 == 0;
    const EngineRun expected = run_on(ptx, Engine::Interpreter, checked, seed),
                    native = run_on(ptx, Engine::Native, checked, seed);
    done += expected.result.counters.warp_instructions;
    faults += expected.result.ok() ? 0 : 1;
    if (native == expected) continue;
    INFO("seed " << seed << ", " << vectors << "\n" << ptx);
    CHECK(native.result.fault.text() == expected.result.fault.text());
    CHECK(native.findings == expected.findings);
    for (std::size_t i = 0; i + 4 <= expected.out.size(); i += 4) {
      std::uint32_t a = 0, b = 0;
      std::memcpy(&a, native.out.data() + i, 4);
      std::memcpy(&b, expected.out.data() + i, 4);
      INFO("byte " << i << ": thread " << i / 4 / kThreadWords << ", its word " << i / 4 % kThreadWords);
      REQUIRE(a == b);
    }
    REQUIRE(native == expected);
  }
  ::unsetenv("CUDA_LABS_VECTORS");
  INFO(programs << " programs");
  CHECK(faults * 2 < programs);
}

TEST_CASE("both engines do the same with random products", "[engines]") {
  const std::string vectors = GENERATE("widest", "avx2");
  if (vectors == "avx2" && !__builtin_cpu_supports("avx512f")) return;
  ::setenv("CUDA_LABS_VECTORS", vectors.c_str(), 1);
  const bool longer = std::getenv("CUDA_LABS_FUZZ") != nullptr;
  const std::uint64_t first = longer ? std::random_device{}() : 1, programs = longer ? 4000 : 300;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    const std::string ptx = cudalabs::test::random_products(seed);
    const EngineRun expected = run_on(ptx, Engine::Interpreter, false, seed),
                    native = run_on(ptx, Engine::Native, false, seed);
    INFO("seed " << seed << ", " << vectors << "\n" << ptx);
    CHECK(expected.result.ok());
    REQUIRE(native == expected);
  }
  ::unsetenv("CUDA_LABS_VECTORS");
}

/// A block whose warps reach each barrier together, for ever.
TEST_CASE("both engines see that a block repeats itself", "[engines]") {
  for (const Engine engine : {Engine::Interpreter, Engine::Native}) {
    TextKernel text(
        kTextHead +
        kernel_with(".shared .b32 go; mov.u32 %r1, go; mov.u32 %r2, 0; st.shared.u32 [%r1], %r2;\n"
                    "L: bar.sync 0; ld.shared.u32 %r2, [%r1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;"));
    LaunchOptions options;
    options.engine = engine;
    options.max_warp_instructions = 2000000000;
    const LaunchResult done = text.launch(text.zeros(4), 1, 64, options);
    CHECK(done.fault.message.english().find("never ends") != std::string::npos);
  }
}

/// Without an observer of each access, its cost follows from its shape. Tests full and divergent warps.
TEST_CASE("random programs do and cost the same with checkers and without", "[engines]") {
  std::uint64_t divided = 0;
  for (std::uint64_t seed = 1000; seed < 1060; ++seed) {
    const std::string ptx = cudalabs::test::random_program(seed);
    EngineRun watched = run_on(ptx, Engine::Interpreter, true, seed);
    const EngineRun alone = run_on(ptx, Engine::Interpreter, false, seed);
    watched.findings.clear();
    INFO("seed " << seed << "\n" << ptx);
    REQUIRE(watched == alone);
    divided += alone.result.counters.divergent_branches;
  }
  CHECK(divided > 0);
}

/// Uses more strides than an instruction's cache holds, and repeats some of them soon.
TEST_CASE("accesses whose stride comes again cost the same", "[engines]") {
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred "
      "%p<4>;\n.shared .align 16 .b8 tile[16384];\n"
      "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
      "mul.wide.u32 %d6, %r2, 16384; add.s64 %d2, %d2, %d6; mov.u32 %r9, tile; mov.u32 %r3, 0;\n"
      "L: and.b32 %r4, %r3, 7; add.u32 %r5, %r4, 1; setp.gt.u32 %p1, %r3, 40; @%p1 and.b32 %r5, %r5, 3;\n"
      "mul.lo.u32 %r6, %r5, %r1; mul.wide.u32 %d3, %r6, 4; add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;\n"
      "shl.b32 %r6, %r6, 2; and.b32 %r6, %r6, 16380; add.u32 %r6, %r6, %r9;\n"
      "ld.global.u32 %r7, [%d4]; ld.global.u32 %r8, [%d5]; add.u32 %r8, %r8, %r7; st.shared.u32 [%r6], %r8;\n"
      "ld.shared.u32 %r10, [%r6]; st.global.u32 [%d5], %r10; bar.sync 0;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 100; @%p2 bra L; ret;\n}\n";
  std::uint64_t sectors = 0;  // of 8 words, touched by a warp
  for (std::uint64_t step = 0; step < 100; ++step) {
    const std::uint64_t stride = step > 40 ? ((step & 7) + 1) & 3 : (step & 7) + 1;
    std::set<std::uint64_t> touched;
    for (std::uint64_t lane = 0; lane < 32; ++lane) touched.insert(stride * lane / 8);
    sectors += touched.size();
  }
  constexpr std::uint64_t kWarps = kThreads / 32 * kBlocks;
  for (const bool checked : {false, true}) {
    for (const Engine engine : {Engine::Interpreter, Engine::Native, Engine::Auto}) {
      const EngineRun run = run_on(ptx, engine, checked, 1);
      CHECK(run.result.ok());
      CHECK(run.result.counters.global_load_sectors == 2 * kWarps * sectors);
      CHECK(run.result.counters.global_store_sectors == kWarps * sectors);
      CHECK(run.result.counters.global_load_requests == 2 * kWarps * 100);
    }
  }
}

/// Some lanes of a warp run past the end of their memory, or leave the valid addresses.
TEST_CASE("some lanes' accesses fault where they would by the interpreter", "[engines]") {
  struct Walk {
    std::string lanes;  ///< sets %p1
    std::uint32_t bytes = 0;
    std::string bump;  ///< every iteration; %r3 counts them
    std::string fault;
  };
  const std::string misaligned = "setp.eq.u32 %p3, %r3, 50; @%p3 add.s64 %d2, %d2, 2;";
  const auto walk = GENERATE_COPY(Walk{"setp.lt.u32 %p1, %r1, 20;", 4, "", "out of bounds"},
                                  Walk{"setp.ge.u32 %p1, %r1, 12;", 8, "", "out of bounds"},
                                  Walk{"setp.lt.u32 %p1, %r1, 20;", 4, misaligned, "misaligned"},
                                  Walk{"setp.ge.u32 %p1, %r1, 12;", 8, misaligned, "misaligned"});
  const std::string bits = std::to_string(8 * walk.bytes), value = walk.bytes == 8 ? "%d6" : "%r4";
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred "
      "%p<4>;\nld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; add.s64 %d1, %d1, " +
      std::to_string(kOut - 20000) + ";\nmul.wide.u32 %d3, %r1, " + std::to_string(walk.bytes) +
      "; add.s64 %d2, %d1, %d3; mov.u32 %r3, 0;\n" + walk.lanes +
      "\nL:\nmov.u32 %r5, %r3;\n@!%p1 bra J;\nld.global.u" + bits + " " + value + ", [%d2];\nadd.u" + bits +
      " " + value + ", " + value + ", 1;\nst.global.u" + bits + " [%d2], " + value +
      ";\nJ:\nadd.s64 %d2, %d2, 40;\n" + walk.bump +
      "\nadd.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 1000; @%p2 bra L;\nret;\n}\n";
  const EngineRun expected = run_on(ptx, Engine::Interpreter, false, 1);
  INFO(expected.result.fault.text());
  CHECK(expected.result.fault.text().find(walk.fault) != std::string::npos);
  for (const Engine engine : {Engine::Native, Engine::Auto}) {
    const EngineRun native = run_on(ptx, engine, false, 1);
    CHECK(native.result.fault.text() == expected.result.fault.text());
    CHECK(native == expected);
  }
}

/// Of 20 lanes the last one leaves shared memory, after as many iterations as there is room for.
TEST_CASE("some lanes' accesses to shared memory fault at its end", "[engines]") {
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred "
      "%p<4>; .shared .align 16 .b8 tile[4096];\nld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x;\n"
      "setp.ge.u32 %p1, %r1, 20; @%p1 exit; mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;\n"
      "mov.u32 %r4, 0;\nL: st.global.u32 [%d1], %r4; st.shared.u32 [%r2], %r4; add.u32 %r2, %r2, 4;\n"
      "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2000; @%p2 bra L; ret;\n}\n";
  for (const Engine engine : {Engine::Interpreter, Engine::Native, Engine::Auto}) {
    const EngineRun run = run_on(ptx, engine, false, 1);
    CHECK(run.result.fault.text().find("out of bounds") != std::string::npos);
    std::uint32_t turns = 0;
    std::memcpy(&turns, run.out.data(), 4);
    CHECK(turns == 4096 / 4 - 19);
  }
}

/// Half of each warp polls until the other half, which is after the loop, has written a value. The number of
/// iterations shows how long each half ran at a time. In one iteration the polling half diverges, and the
/// other half diverges before it writes.
TEST_CASE("lanes of a warp have their turns alike by both engines", "[engines]") {
  const std::string looks = GENERATE("and.b32 %r5, %r1, 1; setp.eq.u32 %p2, %r5, 0;\n",
                                     "setp.lt.u32 %p2, %r1, 1000;\n");  // all of them, or half
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred "
      "%p<4>; .shared .b32 written[4];\nld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %d2, %r1, 8; add.s64 %d1, %d1, %d2; shr.u32 %r2, %r1, 5; shl.b32 %r2, %r2, 2;\n"
      "mov.u32 %r3, written; add.u32 %r2, %r2, %r3; mov.u32 %r3, 0; st.shared.u32 [%r2], %r3;\n"
      "mov.u32 %r4, 0; mov.u32 %r6, 0;\n" +
      looks +
      "and.b32 %r5, %r1, 16; setp.ne.u32 %p1, %r5, 0; @%p1 bra WRITE;\n"
      "LOOK: add.u32 %r4, %r4, 1; setp.ne.u32 %p3, %r4, 100; or.pred %p3, %p3, %p2; @%p3 bra ON;\n"
      "add.u32 %r6, %r6, %r4;\nON: ld.shared.u32 %r7, [%r2]; setp.eq.u32 %p3, %r7, 0;\n"
      "@%p3 bra LOOK;\nWRITE: add.u32 %r6, %r6, 1; @%p2 bra DONE; add.u32 %r6, %r6, 2;\n"
      "DONE: mov.u32 %r7, 1; st.shared.u32 [%r2], %r7;\n"
      "st.global.u32 [%d1], %r4; st.global.u32 [%d1+4], %r6; ret;\n}\n";
  const EngineRun both = alike_by_both(ptx, 1);
  std::uint32_t turns = 0;
  std::memcpy(&turns, both.out.data(), 4);
  CHECK(turns > 400);
}

/// Lanes that take a longer path through a loop diverge in it, while the other lanes of their warp wait for
/// all of them after the `if`. They reconverge there and are counted once.
TEST_CASE("lanes stop where others of their warp wait for them, by both engines", "[engines]") {
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred "
      "%p<4>;\nld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, "
      "%d2;\n"
      "mov.u32 %r4, 0; mov.u32 %r6, 0; and.b32 %r2, %r1, 16;\n"
      "L: add.u32 %r4, %r4, 1; add.u32 %r5, %r1, %r4; and.b32 %r5, %r5, 1; setp.eq.u32 %p1, %r5, 0;\n"
      "@%p1 bra J; add.u32 %r6, %r6, %r4;\n"
      "J: bar.warp.sync -1;\n"
      "setp.lt.u32 %p3, %r4, 900; setp.eq.u32 %p2, %r2, 0; and.pred %p2, %p2, %p3; @%p2 bra L;\n"
      "add.u32 %r6, %r6, 3; @%p3 bra L;\n"
      "st.global.u32 [%d1], %r6; ret;\n}\n";
  alike_by_both(ptx, 1);
}

/// Divides by one power of two for all lanes, which machine code does itself, and by other numbers.
TEST_CASE("both engines divide alike", "[engines]") {
  // %r4 takes the values 1, 2, 4, ..., 2^31, 0. In every eighth iteration the lanes differ, and then %r6 is
  // no power of two.
  const std::string ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred "
      "%p<4>;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %d3, %r1, 4; add.s64 %d1, %d1, %d3; mul.wide.u32 %d3, %r1, 8; add.s64 %d2, %d2, %d3;\n"
      "mov.u32 %r3, 0; mov.u32 %r4, 1; mov.u32 %r9, 0; mov.u32 %r10, 0;\n"
      "L: ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, %r3; and.b32 %r5, %r3, 7; and.b32 %r6, %r1, 1;\n"
      "setp.ne.u32 %p1, %r5, 7; selp.b32 %r6, 0, %r6, %p1; add.u32 %r6, %r6, %r4;\n"
      "rem.u32 %r7, %r2, %r6; div.u32 %r8, %r2, %r6; xor.b32 %r9, %r9, %r7; add.u32 %r10, %r10, %r8;\n"
      "div.u32 %r2, %r2, %r6; add.u32 %r10, %r10, %r2; rem.u32 %r6, %r1, %r6; add.u32 %r9, %r9, %r6;\n"
      "shl.b32 %r4, %r4, 1; and.b32 %r5, %r3, 63; setp.eq.u32 %p2, %r5, 40; @%p2 mov.u32 %r4, 1;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 500; @%p3 bra L;\n"
      "st.global.u32 [%d2], %r9; st.global.u32 [%d2+4], %r10; ret;\n}\n";
  for (std::uint64_t seed = 1; seed < 4; ++seed) alike_by_both(ptx, seed);
}

/// Each warp has its own time, even if warps run from barrier to barrier in one loop.
TEST_CASE("a warp's clock is the same by both engines and in each launch", "[engines]") {
  const std::string kernel =
      kTextHead +
      kernel_with(
          "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 128, %r1;\n"
          "mad.wide.u32 %rd2, %r3, 8, %rd1; mov.u64 %rd3, %clock64; ld.global.u64 %rd4, [%rd2];\n"
          "and.b64 %rd4, %rd4, 0; bar.sync 0; add.u64 %rd5, %rd2, %rd4; ld.global.u64 %rd4, [%rd5];\n"
          "and.b64 %rd4, %rd4, 0; bar.sync 0; mov.u64 %rd6, %clock64; sub.u64 %rd6, %rd6, %rd3;\n"
          "add.u64 %rd6, %rd6, %rd4; st.global.u64 [%rd2], %rd6;");
  constexpr std::size_t kAll = 512 * 128;
  std::vector<std::uint64_t> expected;
  for (const Engine engine : {Engine::Interpreter, Engine::Native, Engine::Auto}) {
    TextKernel text(kernel);
    const DevicePtr out = text.zeros(kAll * 8);
    for (int launch = 0; launch < 2; ++launch) {
      LaunchOptions options;
      options.engine = engine;
      CHECK(text.launch(out, 512, 128, options).ok());
      const auto clocks = text.values<std::uint64_t>(out, kAll);
      if (expected.empty()) expected = clocks;
      CHECK(clocks == expected);
      CHECK(clocks.front() > 0);
    }
  }
}

TEST_CASE("no page is writable and executable at once", "[engines]") {
  run_on(cudalabs::test::random_program(1), Engine::Native, false, 1);
  std::ifstream maps("/proc/self/maps");
  std::size_t lines = 0;
  for (std::string line; std::getline(maps, line); ++lines) {
    const std::string rights = line.substr(line.find(' ') + 1, 4);
    INFO(line);
    CHECK_FALSE((rights[1] == 'w' && rights[2] == 'x'));
  }
  CHECK(lines > 0);
}
