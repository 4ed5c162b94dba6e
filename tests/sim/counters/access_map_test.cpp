// The worst access of a line is the same for any number of workers, and its banks are those that the hardware
// serves.

#include <cstring>
#include <fstream>
#include <sstream>

#include "grader/sim/counters/access_map.h"
#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// ladder.cu: blocks 3, 7, 11, ... read with the widest stride, in warps 1 and 3.
std::vector<LineAccesses> run_ladder(unsigned workers, bool cooperative = false) {
  std::ifstream file(CUDALABS_TEST_DATA "/ladder.ptx");
  std::ostringstream ptx;
  ptx << file.rdbuf();
  Simulator simulator;
  auto module = simulator.load(ptx.str(), "ladder.ptx");
  REQUIRE(module);
  const auto out = simulator.allocate(128 * 4);
  REQUIRE(out);
  std::vector<std::byte> parameters(sizeof *out);
  std::memcpy(parameters.data(), &*out, sizeof *out);
  AccessMap map;
  LaunchOptions options;
  options.threads = workers;
  options.observers = {&map};
  const auto result =
      simulator.launch(**module, "_Z6ladderPf", {{40}, {128}, 0, cooperative}, parameters, options);
  REQUIRE(result);
  REQUIRE(result->ok());
  return map.lines();
}

SharedExample access(AccessKind kind, std::uint32_t width, std::uint32_t stride_bytes,
                     std::uint32_t mask = ~0u) {
  SharedExample a;
  a.kind = kind;
  a.lanes_share = kind != AccessKind::Atomic;
  a.width = width;
  a.mask = mask;
  for (std::uint32_t lane = 0; lane < 32; ++lane) a.offsets[lane] = lane * stride_bytes;
  return a;
}

std::size_t degree(const SharedExample& a) {
  std::size_t most = 0;
  for (const std::uint32_t pass : passes(a))
    for (const auto& words : bank_load(a, pass)) most = std::max(most, words.size());
  return most;
}

}  // namespace

TEST_CASE("the worst access is that of the lowest block and warp, for any number of workers",
          "[access_map]") {
  const auto lines = run_ladder(1);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 4);  // the stores: 8 per warp
  CHECK(lines[0].shared_accesses == 40 * 4 * 8);
  CHECK(lines[0].shared_ideal_wavefronts == 40 * 4 * 8);
  CHECK(lines[0].worst.degree == 1);
  CHECK(lines[0].worst.block == std::array<std::uint32_t, 3>{0, 0, 0});
  const LineAccesses& reads = lines[1];
  CHECK(reads.file == "ladder.cu");
  CHECK(reads.line == 6);
  CHECK(reads.shared_accesses == 40 * 2);
  CHECK(reads.global_ideal_sectors == 40 * 2 * 4);
  CHECK(reads.worst.degree == 8);
  CHECK(reads.worst.block == std::array<std::uint32_t, 3>{3, 0, 0});
  CHECK(reads.worst.warp == 1);
  CHECK(reads.worst.offsets[5] == 5 * 8 * 4);
  CHECK(reads.worst.variable == "tile");
  for (const unsigned workers : {2u, 3u, 8u}) CHECK(run_ladder(workers) == lines);
  CHECK(run_ladder(1, true) == lines);  // all blocks have started before the first one runs
}

TEST_CASE("banks of shared accesses", "[access_map]") {
  CHECK(degree(access(AccessKind::Load, 4, 4)) == 1);
  CHECK(degree(access(AccessKind::Load, 4, 128)) == 32);
  CHECK(degree(access(AccessKind::Load, 4, 132)) == 1);
  CHECK(degree(access(AccessKind::Load, 4, 0)) == 1);     // a broadcast
  CHECK(degree(access(AccessKind::Atomic, 4, 0)) == 32);  // atomics are serialized
  CHECK(degree(access(AccessKind::Load, 1, 1)) == 1);     // four lanes in one word
  CHECK(degree(access(AccessKind::Store, 8, 8)) == 1);    // in two passes
  CHECK(passes(access(AccessKind::Store, 8, 8)).size() == 2);
  CHECK(degree(access(AccessKind::Store, 16, 16)) == 1);  // in four
  CHECK(degree(access(AccessKind::Load, 4, 128, 0x5)) == 2);
  const BankLoad banks = bank_load(access(AccessKind::Load, 4, 64), ~0u);
  REQUIRE(banks[16].size() == 16);
  CHECK(banks[16][1].word == 48);
  CHECK(banks[16][1].lanes == 1u << 3);
  CHECK(banks[1].empty());
}

}  // namespace cudalabs::sim
