// The memory of a launch on this machine grows neither with its cores nor with the output of kernels.

#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "grader/sim/memory/global_memory.h"
#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

namespace {

using namespace cudalabs::sim;

const std::string& floods() {
  static const std::string ptx = [] {
    const cudalabs::test::TemporaryFolder folder;
    const std::string out = folder.path() / "floods.ptx";
    cudalabs::test::output_of(
        {{"nvcc", "-ptx", "-arch=compute_80", "-o", out, CUDALABS_TEST_DATA "/kernels/floods.cu"}});
    return cudalabs::test::read_file(out);
  }();
  return ptx;
}

struct BoundsRun {
  std::string printed;
  std::vector<std::int32_t> out;
};

BoundsRun launch(const std::string& kernel, Dim3 grid, Dim3 block, std::int32_t n, unsigned threads) {
  Simulator simulator;
  const auto module = simulator.load(floods(), "floods.ptx");
  REQUIRE(module.ok());
  const auto out = simulator.allocate(grid.count() * 4);
  REQUIRE(out.ok());
  std::vector<std::byte> parameters(12);
  std::memcpy(parameters.data(), &*out, 8);
  std::memcpy(parameters.data() + 8, &n, 4);
  BoundsRun run;
  LaunchOptions options;
  options.threads = threads;
  options.print = [&](std::string_view text) { run.printed += text; };
  const auto done = simulator.launch(**module, kernel, {grid, block}, parameters, options);
  REQUIRE(done.ok());
  CHECK(done->fault.kind == FaultKind::None);
  run.out.resize(grid.count());
  std::memcpy(run.out.data(), simulator.bytes(*out, grid.count() * 4).data(), grid.count() * 4);
  return run;
}

std::uint64_t most_memory() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) << 10;
}

}  // namespace

TEST_CASE("a server of many cores needs no more memory for locals than a notebook", "[determinism]") {
  const std::uint64_t before = most_memory();
  // 4 GiB, if all blocks ran at the same time.
  const BoundsRun run = launch("many_locals", {64, 1, 1}, {1024, 1, 1}, 64, 64);
#ifndef __SANITIZE_THREAD__  // its shadow memory is many times larger
  CHECK(most_memory() - before < std::uint64_t{1500} << 20);
#endif
  for (std::int32_t b = 0; b < 64; ++b) REQUIRE(run.out[static_cast<std::size_t>(b)] == b);
}

TEST_CASE("of what a kernel prints the latest calls are kept, whoever comes first", "[determinism]") {
  const BoundsRun one = launch("many_words", {64, 1, 1}, {1, 1, 1}, 4000, 1),
                  seven = launch("many_words", {64, 1, 1}, {1, 1, 1}, 4000, 7);
  CHECK(one.printed == seven.printed);
  // The buffer keeps 33,792 of 256,000 calls.
  CHECK(std::ranges::count(one.printed, '\n') == 33'792);
  CHECK(one.printed.starts_with("block     55 line   2208"));
  CHECK(one.printed.find("block     63 line   3999") != std::string::npos);
}

TEST_CASE("an allocation of one byte counts as the page that it takes") {
  GlobalMemory memory(4 * 4096);
  std::uint64_t last = 0;
  for (int k = 0; k < 4; ++k) {
    const auto one = memory.allocate(1);
    REQUIRE(one.ok());
    last = *one;
  }
  CHECK(memory.bytes_in_use() == 4 * 4096);
  CHECK(memory.allocate(1).problem().message.english() ==
        "out of device memory: 1 byte requested, 0 bytes free");
  REQUIRE(memory.free(last).ok());
  CHECK(memory.bytes_in_use() == 3 * 4096);
  CHECK(memory.allocate(4096).ok());
}
