// A launch gives the same results, output, faults and counters with one worker as with seven, and the same
// results from PTX of every dialect.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <thread>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"
#include "tests/sim/text_kernel.h"

namespace {

using namespace cudalabs::sim;

constexpr int kElements = 2000;

std::string compiled(const std::string& name, const std::string& arch) {
  static std::map<std::string, std::string> done;
  std::string& ptx = done[name + arch];
  if (!ptx.empty()) return ptx;
  const cudalabs::test::TemporaryFolder folder;
  const std::string out = folder.path() / "kernels.ptx";
  cudalabs::test::output_of({{"nvcc", "-std=c++20", "-lineinfo", "-ptx", "-arch=" + arch, "-o", out,
                              CUDALABS_TEST_DATA "/kernels/" + name}});
  return ptx = cudalabs::test::read_file(out);
}

struct Run {
  std::vector<std::uint32_t> out;
  std::string printed;
  LaunchResult result;
};

Run launch(const std::string& kernel, const std::string& arch, LaunchOptions options) {
  Simulator simulator;
  auto module = simulator.load(compiled("mixed.cu", arch), "mixed.ptx");
  INFO((module.ok() ? std::string() : module.problem().text()));
  REQUIRE(module.ok());
  const auto in = simulator.allocate(kElements * 4), out = simulator.allocate((kElements + 1) * 4);
  REQUIRE((in.ok() && out.ok()));
  auto numbers = simulator.bytes(*in, kElements * 4);
  for (int i = 0; i < kElements; ++i) {
    const float v = static_cast<float>(i * 7919 % 1009) * 0.37f;
    std::memcpy(numbers.data() + 4 * i, &v, 4);
  }
  auto results = simulator.bytes(*out, (kElements + 1) * 4);
  std::memset(results.data(), 0, results.size());
  std::vector<std::byte> parameters(20);
  const std::int32_t n = kElements;
  std::memcpy(parameters.data(), &*in, 8);
  std::memcpy(parameters.data() + 8, &*out, 8);
  std::memcpy(parameters.data() + 16, &n, 4);
  Run run;
  options.by_line = true;
  options.print = [&](std::string_view text) { run.printed += text; };
  auto launched =
      simulator.launch(**module, kernel, {{16, 1, 1}, {128, 1, 1}, 0, false}, parameters, options);
  REQUIRE(launched.ok());
  run.result = std::move(*launched);
  run.out.resize(kElements + 1);
  std::memcpy(run.out.data(), results.data(), results.size());
  return run;
}

LaunchOptions workers(unsigned threads) {
  LaunchOptions options;
  options.threads = threads;
  return options;
}

const std::vector<std::string> kKernels{"float_atomics", "tickets", "shared_reduction", "integer_histogram",
                                        "divergent",     "prints",  "in_place",         "chain"};

}  // namespace

TEST_CASE("results and counters do not depend on the number of workers", "[determinism]") {
  for (const std::string& kernel : kKernels) {
    DYNAMIC_SECTION(kernel) {
      const Run one = launch(kernel, "compute_80", workers(1));
      CHECK(one.result.fault.text() == Fault{}.text());
      CHECK(one.result.counters.warp_instructions > 0);
      CHECK(one.printed.empty() == (kernel != "prints"));
      for (const unsigned threads : {2u, 7u}) {
        const Run many = launch(kernel, "compute_80", workers(threads));
        CHECK(many.out == one.out);
        CHECK(many.printed == one.printed);
        if (kernel == "chain") continue;  // how often a waiting block polls is not a property of the program
        CHECK(many.result.counters == one.result.counters);
        REQUIRE(many.result.lines.size() == one.result.lines.size());
        for (std::size_t i = 0; i < one.result.lines.size(); ++i) {
          CHECK(many.result.lines[i].line == one.result.lines[i].line);
          CHECK(many.result.lines[i].counters == one.result.lines[i].counters);
        }
      }
    }
  }
}

TEST_CASE("the fault of the lowest block is told, whoever met one first", "[determinism]") {
  const Run one = launch("faulty", "compute_80", workers(1));
  CHECK(one.result.fault.kind == FaultKind::OutOfBounds);
  CHECK(one.result.fault.block == std::array<std::uint32_t, 3>{5, 0, 0});
  CHECK(one.result.fault.thread == std::array<std::uint32_t, 3>{15, 0, 0});
  for (const unsigned threads : {2u, 7u})
    CHECK(launch("faulty", "compute_80", workers(threads)).result.fault.text() == one.result.fault.text());
}

TEST_CASE("results do not depend on the dialect of the PTX", "[determinism]") {
  for (const std::string& kernel : kKernels) {
    DYNAMIC_SECTION(kernel) {
      const Run base = launch(kernel, "compute_80", workers(2));
      for (const std::string arch : {"compute_75", "compute_90", "compute_100"}) {
        INFO(arch);
        const Run other = launch(kernel, arch, workers(2));
        CHECK(other.out == base.out);
        CHECK(other.printed == base.printed);
      }
    }
  }
}

TEST_CASE("an endless kernel is stopped by its budget or from outside", "[determinism]") {
  LaunchOptions options;
  options.max_warp_instructions = 20'000'000;
  const Run run = launch("endless", "compute_80", options);
  CHECK(run.result.fault.kind == FaultKind::InstructionLimit);
  CHECK(run.result.fault.kernel == "endless");
  CHECK(run.result.fault.line > 0);
  CHECK(run.result.fault.message.english() ==
        "the kernel did not finish within 20 million warp instructions");
  CHECK(run.result.fault.advice.english() ==
        "The loop around this line never ends, or runs far too long: check its condition and its step, and "
        "share "
        "the work among more threads.");

  std::atomic<bool> cancel = false;
  LaunchOptions cancellable;
  cancellable.cancel = &cancel;
  std::jthread watch([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancel = true;
  });
  const Run stopped = launch("endless", "compute_80", cancellable);
  CHECK(stopped.result.fault.kind == FaultKind::InstructionLimit);
  CHECK(stopped.result.fault.message.english() == "the kernel did not finish within the time limit");
}

TEST_CASE("every block runs once where workers begin blocks from the end, and one of them waits",
          "[determinism]") {
  // Tiny blocks, repeated: the workers meet at the last of them. Block 7 waits for block 3, so that at some
  // moment blocks are started again from the first.
  constexpr std::uint32_t kBlocks = 16;
  const auto ptx = [](bool waits) {
    return std::string(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 out)
{
.reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %ctaid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd3, %rd1, %rd2;
)") +
           (waits ? R"(setp.ne.u32 %p1, %r1, 7;
@%p1 bra COUNT;
WAIT: ld.relaxed.gpu.global.u32 %r2, [%rd1+12];
setp.eq.u32 %p2, %r2, 0;
@%p2 bra WAIT;
)"
                  : "") +
           R"(COUNT: red.global.add.u32 [%rd3], 1;
ret;
}
)";
  };
  for (const bool waits : {false, true}) {
    TextKernel kernel(ptx(waits));
    for (int time = 0; time < 1500; ++time) {
      const DevicePtr out = kernel.zeros(kBlocks * 4);
      LaunchOptions options = workers(4);
      options.reversed = true;
      const LaunchResult launched = kernel.launch(out, kBlocks, 32, options);
      REQUIRE(launched.fault.text() == Fault{}.text());
      REQUIRE(std::ranges::count(kernel.values<std::uint32_t>(out, kBlocks), 32u) == kBlocks);
      REQUIRE(kernel.simulator.free(out).ok());
    }
  }
}

TEST_CASE("in reverse, others come between what a thread reads and what it puts in its place",
          "[determinism]") {
  // One warp of each block adds 1 without regard to the others; `again` limits its attempts.
  constexpr std::uint32_t kBlocks = 20;
  const auto sum_of = [](const std::string& store, bool reversed) {
    TextKernel kernel(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 sum)
{
.reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [sum];
mov.u32 %r1, %tid.x;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra DONE;
AGAIN: ld.volatile.global.u32 %r2, [%rd1];
add.u32 %r3, %r2, 1;
)" + store + R"(
DONE: ret;
})");
    // In reverse order, one worker for each block must not keep the blocks from synchronizing.
    LaunchOptions options = workers(reversed ? kBlocks : 1);
    options.reversed = reversed;
    const DevicePtr sum = kernel.zeros(4);
    const LaunchResult launched = kernel.launch(sum, kBlocks, 64, options);
    REQUIRE(launched.fault.text() == Fault{}.text());
    return kernel.values<std::uint32_t>(sum, 1).front();
  };
  const std::string once = "atom.global.cas.b32 %r4, [%rd1], %r2, %r3;";
  const std::string until_done = once + "setp.ne.u32 %p2, %r4, %r2;\n@%p2 bra AGAIN;";
  const std::string as_if_alone = "st.volatile.global.u32 [%rd1], %r3;";
  for (const std::string& store : {once, until_done, as_if_alone}) CHECK(sum_of(store, false) == kBlocks);
  CHECK(sum_of(until_done, true) == kBlocks);
  CHECK(sum_of(once, true) == 1);
  CHECK(sum_of(as_if_alone, true) == 1);
}

TEST_CASE("in reverse, what nobody has set is no number that could be a result", "[determinism]") {
  TextKernel kernel(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry read(.param .u64 out)
{
.reg .f32 %f<5>; .reg .b64 %rd<2>; .shared .align 4 .f32 s[4];
ld.param.u64 %rd1, [out];
ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4]; ld.shared.f32 %f3, [s+8]; ld.shared.f32 %f4, [s+12];
st.global.f32 [%rd1], %f1; st.global.f32 [%rd1+4], %f2; st.global.f32 [%rd1+8], %f3; st.global.f32 [%rd1+12], %f4;
ret;
})");
  kernel.simulator.poison(true);
  const auto out = kernel.simulator.allocate(32);
  REQUIRE(out.ok());
  LaunchOptions options = workers(1);
  options.reversed = true;
  REQUIRE(kernel.launch(*out, 1, 1, options).ok());
  const auto got = kernel.values<float>(*out, 8);  // of shared memory, and of allocated memory
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO(i << ": " << got[i]);
    CHECK(std::isnan(got[i]) == (i % 2 == 1));
    if (i % 2 == 0) CHECK(std::abs(got[i]) == std::numeric_limits<float>::max());
  }
  CHECK(got[0] == -got[2]);
}

TEST_CASE("a barrier of all blocks is passed, however many there are", "[determinism]") {
  // Each block increments a counter and waits until all blocks have.
  TextKernel kernel(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 count)
{
.reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [count];
atom.global.add.u32 %r1, [%rd1], 1;
mov.u32 %r2, %nctaid.x;
WAIT: ld.volatile.global.u32 %r3, [%rd1];
setp.lt.u32 %p1, %r3, %r2;
@%p1 bra WAIT;
ret;
}
)");
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (const bool reversed : {false, true}) {
      for (std::uint32_t blocks = 1; blocks <= 9; ++blocks) {
        const DevicePtr count = kernel.zeros(4);
        LaunchOptions options = workers(threads);
        options.reversed = reversed;
        const LaunchResult launched = kernel.launch(count, blocks, 1, options);
        INFO(threads << " workers, " << blocks << " blocks");
        CHECK(launched.fault.text() == Fault{}.text());
        REQUIRE(kernel.simulator.free(count).ok());
      }
    }
  }
}
