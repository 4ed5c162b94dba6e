// Requirements for an estimate: the same on every machine, and longer for work that takes longer. Tests whole
// kernels, because the estimate follows them.

#include "grader/sim/timing/cost.h"

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/sim/counters/banks.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/simulator.h"
#include "grader/sim/timing/chains.h"
#include "grader/sim/timing/contention.h"
#include "tests/harness/catch.h"

using namespace cudalabs::sim;

namespace {

std::array<std::uint32_t, 32> lanes_apart(std::uint32_t bytes) {
  std::array<std::uint32_t, 32> offsets{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) offsets[lane] = lane * bytes;
  return offsets;
}

DeviceProfile kepler(double mode) {
  DeviceProfile profile;
  profile.bank_bytes = 8;
  profile.bank_mode_bytes = mode;
  return profile;
}

DeviceProfile sixteen_banks() {
  DeviceProfile profile;
  profile.shared_lanes = profile.shared_banks = 16;
  return profile;
}

std::uint32_t wavefronts_in(const DeviceProfile& profile, std::uint32_t width, const std::uint32_t* offsets,
                            std::uint32_t mask) {
  return bank_passes_of(banks_of(profile), width, offsets, mask).wavefronts;
}

struct Launch {
  std::uint32_t blocks = 1000, threads = 256;
  DeviceProfile profile;
  int workers = 1;
  std::uint64_t draw = 0;
  std::uint32_t shared_bytes = 0;  ///< of a block; only the estimate sees them
};

/// The estimate of a kernel whose body starts with %rd3 = in + 4 i and %rd4 = out + 4 i. %r4 holds i, the
/// number of the thread.
Estimate whole_estimate_of(const std::string& body, const Launch& launch) {
  const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<99>; .reg .f64 %d<9>; .reg .pred %p<9>;
  .shared .align 16 .b8 tile[4096];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd3, %rd1, %rd5;
  add.s64 %rd4, %rd2, %rd5;
)" + body + "\n  ret;\n}\n.file 1 \"k.cu\"\n";
  Simulator simulator;
  const auto module = simulator.load(ptx, "test");
  INFO((module ? "" : module.problem().text()));
  REQUIRE(module);
  const std::array<DevicePtr, 2> parameters{*simulator.allocate(64 << 20), *simulator.allocate(64 << 20)};
  for (const DevicePtr memory : parameters)
    std::memset(simulator.bytes(memory, 64 << 20).data(), 0, 64 << 20);
  ReuseObserver reuse(launch.draw);
  ContentionObserver contention;
  ChainObserver chains;
  TraceObserver trace(launch.profile, launch.draw);
  LaunchOptions options;
  options.observers = {&reuse, &contention, &chains, &trace};
  options.threads = launch.workers;
  std::array<std::byte, sizeof parameters> bytes;
  std::memcpy(bytes.data(), parameters.data(), sizeof parameters);
  const LaunchConfig config{.grid = {launch.blocks, 1, 1}, .block = {launch.threads, 1, 1}};
  const auto result = simulator.launch(**module, "k", config, bytes, options);
  REQUIRE(result);
  INFO(result->fault.message.english());
  REQUIRE(result->ok());
  LaunchWork work;
  work.grid = {launch.blocks, 1, 1};
  work.block = {launch.threads, 1, 1};
  work.shared_bytes = launch.shared_bytes;
  work.counters = result->counters;
  work.issue = result->issue;
  work.traffic = reuse.traffic();
  work.atomic_clocks = contention.clocks();
  work.chain_clocks = chains.clocks();
  work.traces = trace.take(work.traffic.odd || trace.is_odd());
  work.lengths = result->lengths;
  const bool uneven = is_uneven(work.lengths, work.grid), otherwise = goes_on_otherwise(work, launch.profile);
  if (uneven || otherwise) {
    TraceObserver beginning(launch.profile, OneBlock{}), dearest(launch.profile, DearestSteps{});
    ReuseObserver its_reuse(OneBlock{});
    options.only_block = work.lengths.block;
    options.observers = {&its_reuse};
    if (uneven) options.observers.push_back(&beginning);
    if (otherwise) options.observers.push_back(&dearest);
    const std::span<std::byte> memory = simulator.bytes(parameters[1], 64 << 20);
    const std::vector<std::byte> before(memory.begin(), memory.end());
    REQUIRE(simulator.look_again(**module, "k", config, bytes, options));
    CHECK(std::ranges::equal(memory, before));
    work.longest = beginning.take(false);
    work.dearest = dearest.take(false);
    work.longest_traffic = its_reuse.traffic();
  }
  MachineCodes codes(joins_instructions(launch.profile));
  work.by_line = true;
  return estimate(work, launch.profile, codes);
}
CostBounds estimate_of(const std::string& body, const Launch& launch = {}) {
  return whole_estimate_of(body, launch).bounds;
}
double time_of(const std::string& body, const Launch& launch = {}) {
  return estimate_of(body, launch).total();
}

const std::string kCopy = "ld.global.f32 %f1, [%rd3];\n st.global.f32 [%rd4], %f1;\n";

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// A loop whose iterations %r10 counts.
std::string loop(int turns, const std::string& body) {
  return "mov.u32 %r10, 0;\nagain:\n" + body + "add.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, " +
         std::to_string(turns) + ";\n@%p1 bra again;\n";
}

}  // namespace

TEST_CASE("blocks that do nothing save no time", "[model]") {
  const auto work_of_first = [](int blocks) {
    return "setp.ge.u32 %p2, %r1, " + std::to_string(blocks) + ";\n@%p2 bra end;\n" + loop(200, kCopy) +
           "end:\n";
  };
  const double alone = time_of(work_of_first(4), {4, 256, {}});
  for (const std::uint32_t blocks : {5u, 7u, 8u, 12u}) {
    INFO(blocks);
    CHECK(time_of(work_of_first(4), {blocks, 256, {}}) >= 0.98 * alone);
  }
}

TEST_CASE("the times of lines are the estimate's without the launch", "[model]") {
  const std::string body = ".loc 1 7 0\n" + kCopy + ".loc 1 9 0\nadd.u32 %r11, %r4, 1;\n";
  const Estimate estimate = whole_estimate_of(body + ".loc 1 9 0\n", {});
  double sum = 0;
  std::map<std::uint32_t, double> times;
  for (const LineTime& line : estimate.lines) {
    CHECK(line.file == "k.cu");
    sum += line.ns;
    times[line.line] += line.ns;
  }
  CHECK(sum <= (estimate.bounds.total() - estimate.bounds.launch) * 1.0001);
  CHECK(times[7] > 0.5 * sum);  // it loads
  CHECK(times[7] > 10 * times[9]);
}

TEST_CASE("banks of other cards", "[model]") {
  const std::uint32_t all = 0xFFFFFFFFu;
  // Sixteen banks serve a half-warp at a time.
  CHECK(wavefronts_in(sixteen_banks(), 4, lanes_apart(4).data(), all) == 2);
  CHECK(wavefronts_in(sixteen_banks(), 4, lanes_apart(0).data(), all) == 2);
  CHECK(wavefronts_in(sixteen_banks(), 4, lanes_apart(64).data(), all) == 32);
  CHECK(wavefronts_in(sixteen_banks(), 4, lanes_apart(17 * 4).data(), all) == 2);
  CHECK(wavefronts_in(sixteen_banks(), 4, lanes_apart(4).data(), 0xFFFFu) == 1);
  // Kepler has 32 banks of 8 bytes, so two words of a column are in one row of the banks.
  CHECK(wavefronts_in(kepler(4), 4, lanes_apart(4).data(), all) == 1);
  CHECK(wavefronts_in(kepler(4), 4, lanes_apart(128).data(), all) == 16);
  CHECK(wavefronts_in(kepler(4), 8, lanes_apart(8).data(), all) == 1);
  CHECK(wavefronts_in(kepler(8), 8, lanes_apart(8).data(), all) == 1);
  CHECK(wavefronts_in(kepler(8), 8, lanes_apart(33 * 8).data(), all) == 1);
  CHECK(wavefronts_in(kepler(4), 8, lanes_apart(33 * 8).data(), all) == 2);
}

TEST_CASE("a launch takes its time even if it does nothing", "[model]") {
  const CostBounds nothing = estimate_of("");
  CHECK(nothing.launch == DeviceProfile{}.launch_us * 1e3);
  CHECK(nothing.total() < 2 * nothing.launch);
}

TEST_CASE("a launch ends with its longest block, wherever it lies", "[model]") {
  // Thread t of a block takes every 32nd element from t on. The stores show whether a second examination
  // leaves a trace.
  const std::string sum = loop(4096,
                               "ld.global.f32 %f1, [%rd3];\n add.f32 %f2, %f2, %f1;\n"
                               "add.s64 %rd3, %rd3, 128;\n st.global.f32 [%rd4], %f2;\n");
  const std::string in_block_17 = "mov.u32 %r11, %ctaid.x;\n setp.ne.u32 %p1, %r11, 17;\n @%p1 ret;\n" + sum;
  const double alone = time_of(sum, {1, 32, {}});
  const double one_of_many = time_of(in_block_17, {432, 32, {}});
  const double all = time_of(sum, {432, 32, {}});
  // As many blocks as the GPU has multiprocessors.
  const std::string in_some =
      "mov.u32 %r11, %ctaid.x;\n and.b32 %r11, %r11, 3;\n setp.ne.u32 %p1, %r11, 2;\n @%p1 ret;\n" + sum;
  const double some = time_of(in_some, {432, 32, {}});
  CHECK(some > 0.9 * alone);
  CHECK(some < 1.2 * all);
  INFO(alone << " ns alone, " << one_of_many << " where 431 others do nothing, " << all
             << " where all do it");
  CHECK(one_of_many > 0.9 * alone);
  CHECK(one_of_many < 1.1 * alone);
  CHECK(all >= 0.9 * alone);
}

TEST_CASE("more of anything takes longer, by what there is more of", "[model]") {
  const CostBounds copy = estimate_of(kCopy);
  const CostBounds sums =
      estimate_of(kCopy + repeated(400, "add.f32 %f2, %f2, %f3;\nadd.f32 %f4, %f4, %f3;\n"));
  CHECK(sums.issue > 5 * copy.issue);
  CHECK(sums.total() > copy.total());
  const CostBounds doubles = estimate_of(kCopy + repeated(100, "fma.rn.f64 %d1, %d1, %d2, %d3;\n"));
  CHECK(doubles.doubles > 0);
  CHECK(copy.doubles == 0);
  // 32 lanes in one bank.
  const auto shared = [](int distance) {
    return estimate_of("mov.u32 %r5, tile;\nand.b32 %r6, %r3, 31;\nmad.lo.u32 %r7, %r6, " +
                       std::to_string(distance) + ", %r5;\n" +
                       repeated(50, "ld.volatile.shared.f32 %f5, [%r7];\n"));
  };
  CHECK(shared(128).shared > 8 * shared(4).shared);
  // Each lane reads its own address of constant memory, one of two, or all the same one.
  const auto constant = [](int distance) {
    return estimate_of(
        ".const .align 4 .b8 table[4096];\nmov.u64 %rd6, table;\nand.b32 %r6, %r3, 31;\n"
        "mul.wide.u32 %rd7, %r6, " +
        std::to_string(distance) + ";\nadd.s64 %rd7, %rd7, %rd6;\n" +
        repeated(50, "ld.volatile.const.f32 %f5, [%rd7];\n"));
  };
  CHECK(constant(4).shared > 8 * constant(0).shared);
  const CostBounds apart = estimate_of(
      "shl.b64 %rd6, %rd5, 3;\nadd.s64 %rd7, %rd1, %rd6;\nld.global.f32 %f1, [%rd7];\n"
      "st.global.f32 [%rd4], %f1;\n");
  CHECK(apart.total() > 1.2 * copy.total());
}

TEST_CASE("loads that wait for each other take longer than those that do not", "[model]") {
  Launch few;
  few.blocks = 8;
  few.threads = 32;
  std::string chain, free;
  for (int i = 0; i < 16; ++i) {
    free += "ld.global.u32 %r" + std::to_string(20 + i) + ", [%rd3+" + std::to_string(i * 4096) + "];\n";
    chain += "ld.global.u32 %r20, [%rd3+" + std::to_string(i * 4096) +
             "];\ncvt.u64.u32 %rd6, %r20;\nadd.s64 %rd3, %rd3, %rd6;\n";
  }
  std::string use = "mov.u32 %r11, 0;\n";
  for (int i = 0; i < 16; ++i) use += "add.u32 %r11, %r11, %r" + std::to_string(20 + i) + ";\n";
  const double apart = time_of(free + use + "st.global.u32 [%rd4], %r11;\n", few);
  const CostBounds chained = estimate_of(chain + "st.global.u32 [%rd4], %r20;\n", few);
  CHECK(chained.total() > 2 * apart);
  CHECK(chained.latency > chained.issue + chained.memory + chained.l2 + chained.shared);
}

TEST_CASE("what waits is charged wherever in a kernel it stands", "[model]") {
  Launch few;
  few.blocks = 8;
  few.threads = 32;
  // Each load waits for the one before it.
  const std::string chain = "mov.u32 %r12, 0;\nchain:\n" +
                            repeated(4,
                                     "ld.global.u32 %r20, [%rd3];\ncvt.u64.u32 %rd6, %r20;\n"
                                     "add.s64 %rd3, %rd3, %rd6;\nadd.s64 %rd3, %rd3, 4096;\n") +
                            "add.u32 %r12, %r12, 1;\nsetp.ne.u32 %p2, %r12, 200;\n@%p2 bra chain;\n";
  const std::string end = "st.global.u32 [%rd4], %r20;\nst.global.u32 [%rd4], %r11;\n";
  const auto idle = [](const std::string& label, int turns) {
    return "mov.u32 %r10, 0;\n" + label + ":\n" + repeated(40, "add.u32 %r11, %r11, %r10;\n") +
           "add.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, " + std::to_string(turns) + ";\n@%p1 bra " +
           label + ";\n";
  };
  const double alone = time_of(chain + end, few), first = time_of(chain + idle("a", 600) + end, few);
  const double last = time_of(idle("a", 600) + chain + end, few);
  const double between = time_of(idle("a", 300) + chain + idle("b", 300) + end, few);
  const double nothing = time_of(idle("a", 600) + end, few);
  CHECK(alone > 3 * nothing);
  CHECK(last > 0.8 * (alone + nothing));
  CHECK(last < 1.25 * (alone + nothing));
  CHECK(between > 0.8 * (alone + nothing));
  CHECK(between < 1.25 * (alone + nothing));
  CHECK(first > 0.8 * alone);
}

TEST_CASE("what comes again is found in a cache", "[model]") {
  const std::string again =
      loop(50, "ld.volatile.global.f32 %f1, [%rd3];\n") + "st.global.f32 [%rd4], %f1;\n";
  const std::string cached = loop(50, "ld.global.f32 %f1, [%rd3];\n") + "st.global.f32 [%rd4], %f1;\n";
  const CostBounds once = estimate_of(kCopy), volatiles = estimate_of(again), in_l1 = estimate_of(cached);
  CHECK(volatiles.l2 > 5 * once.l2);
  CHECK(in_l1.total() < volatiles.total());
}

TEST_CASE("the same work by fewer threads takes longer", "[model]") {
  const auto by = [](std::uint32_t blocks, std::uint32_t threads, int turns) {
    Launch launch;
    launch.blocks = blocks;
    launch.threads = threads;
    return time_of(
        loop(turns, "ld.global.f32 %f1, [%rd3];\nst.global.f32 [%rd4], %f1;\nadd.s64 %rd3, %rd3, " +
                        std::to_string(blocks * threads * 4) + ";\nadd.s64 %rd4, %rd4, " +
                        std::to_string(blocks * threads * 4) + ";\n"),
        launch);
  };
  const double whole = by(1024, 256, 1);
  CHECK(by(128, 256, 8) < 3 * whole);
  CHECK(by(4, 256, 256) > 5 * whole);
  CHECK(by(1, 256, 1024) > 3 * by(4, 256, 256));
}

TEST_CASE("registers that a thread needs leave room for fewer others", "[model]") {
  std::string held, used;
  for (int i = 0; i < 96; ++i) {
    held += "ld.global.f32 %f" + std::to_string(i + 1) + ", [%rd3+" + std::to_string(i * 4096) + "];\n";
    used += "st.global.f32 [%rd4], %f" + std::to_string(i + 1) + ";\n";
  }
  const std::string chain = repeated(
      20, "ld.volatile.global.u32 %r20, [%rd2];\ncvt.u64.u32 %rd6, %r20;\nadd.s64 %rd2, %rd2, %rd6;\n");
  Launch plenty, little;
  plenty.profile.registers = 1 << 20;
  CHECK(time_of(held + chain + used, little) > 1.3 * time_of(held + chain + used, plenty));
  CHECK(time_of(kCopy, little) == time_of(kCopy, plenty));
}

TEST_CASE("occupancy is what fits, and what is resident on average", "[model]") {
  const auto launched = [](std::uint32_t blocks, std::uint32_t threads) {
    Launch launch;
    launch.blocks = blocks;
    launch.threads = threads;
    return launch;
  };
  const auto use_of = [](const std::string& body, const Launch& launch) {
    return whole_estimate_of(body, launch).use;
  };
  CHECK(use_of(kCopy, launched(1000, 32)).occupancy == 0.5);    // 32 blocks
  CHECK(use_of(kCopy, launched(1000, 768)).occupancy == 0.75);  // 2 blocks of 24 warps
  // 4 blocks of 33 KiB, or 5 of 32 KiB, in 164 KiB.
  Launch shared = launched(10, 256);
  shared.shared_bytes = 32 << 10;
  CHECK(use_of(kCopy, shared).occupancy == 4 * 8 / 64.0);
  shared.profile.compute_capability = 7.5;
  CHECK(use_of(kCopy, shared).occupancy == 5 * 8 / 64.0);
  // Each of a multiprocessor's four parts holds 3 warps of 16 registers a lane.
  Launch few = launched(10, 32);
  few.profile.registers = 4 * (3 * 16 * 32 + 500);
  CHECK(use_of(kCopy, few).occupancy == 12 / 64.0);
  // One block on a multiprocessor: all its warps, or a quarter of them most of the time.
  const Utilization whole = use_of(kCopy, launched(100, 256));
  CHECK(whole.achieved_occupancy > 0.95 * 8 / 64);
  CHECK(whole.achieved_occupancy <= 8 / 64.0);
  const std::string chain = "setp.ge.u32 %p1, %r3, 64; @%p1 ret; mov.f32 %f1, 0f3F800000;" +
                            repeated(2000, "fma.rn.f32 %f1, %f1, %f1, %f1;");
  const Utilization quarter = use_of(chain + "st.global.f32 [%rd4], %f1;", launched(100, 256));
  CHECK(quarter.achieved_occupancy == Approx(2 / 64.0).epsilon(0.15));
  CHECK(quarter.memory < 0.05);
  // A large copy keeps memory busier than the way to L2.
  const Utilization large = use_of(kCopy, launched(60'000, 256));
  CHECK(large.memory > 0.6);
  CHECK(large.l2 > 0.1);
  CHECK(large.l2 < large.memory);
  CHECK(large.achieved_occupancy > 0.6);
  CHECK(large.achieved_occupancy < 1);
}

TEST_CASE("atomics on one element cost what they wait", "[model]") {
  const CostBounds one = estimate_of("red.global.add.f32 [%rd2], 0f3F800000;\n");
  CHECK(one.atomics > 0.8 * one.total());
  const CostBounds own = estimate_of("red.global.add.f32 [%rd4], 0f3F800000;\n");
  CHECK(own.total() < one.total() / 20);
}

TEST_CASE("an estimate is the same for any number of workers", "[model]") {
  for (const std::string& body :
       {kCopy, loop(300, kCopy), std::string("red.global.add.u32 [%rd4], 1;\nbar.sync 0;\n") + kCopy}) {
    Launch launch;
    const CostBounds one = estimate_of(body, launch);
    launch.workers = 7;
    const CostBounds seven = estimate_of(body, launch);
    for (double CostBounds::*bound :
         {&CostBounds::launch, &CostBounds::issue, &CostBounds::shared, &CostBounds::l2, &CostBounds::memory,
          &CostBounds::atomics, &CostBounds::latency})
      CHECK(one.*bound == seven.*bound);
  }
}

TEST_CASE("who is cheap only where the estimate looks is found out by the draw", "[model]") {
  // The first and the last block do the others' work without conflicts.
  const std::string body = R"(setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r5, tile;
  mov.u32 %r6, 128;
)";
  std::string cheap = body;
  // The blocks that are always examined, of 1000.
  for (const std::uint32_t block : {0u, 999u}) {
    cheap += "setp.eq.u32 %p2, %r1, " + std::to_string(block) + ";\n@%p2 mov.u32 %r6, 4;\n";
  }
  const std::string rest = "and.b32 %r7, %r3, 31;\nmad.lo.u32 %r8, %r7, %r6, %r5;\n" +
                           repeated(50, "ld.volatile.shared.f32 %f5, [%r8];\n");
  Launch drawn;
  drawn.draw = 12345;
  CHECK(time_of(body + rest, drawn) == time_of(body + rest));
  CHECK(time_of(cheap + rest, drawn) > 0.4 * time_of(body + rest, drawn));
}
