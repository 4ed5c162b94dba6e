// The parts of the estimate by themselves.

#include <array>

#include "grader/simulator/cost/cost.h"
#include "grader/simulator/program/program.h"
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

/// A launch of 1000 blocks of 256 threads that loads and stores 4 bytes a thread, each sector once.
LaunchWork copy() {
  LaunchWork work;
  work.grid = {1000, 1, 1};
  work.block = {256, 1, 1};
  work.counters.global_load_requests = work.counters.global_store_requests = 8000;
  work.counters.global_load_sectors = work.counters.global_store_sectors = 32000;
  work.issue.slots = 80000;
  work.issue.memory_waits = 8000;
  work.traffic.loads = work.traffic.stores = {512, 512, 32000, 128};
  return work;
}

}  // namespace

TEST_CASE("banks of other cards", "[model]") {
  const std::uint32_t all = 0xFFFFFFFFu;
  // Sixteen banks: a half-warp at a time.
  CHECK(bank_wavefronts(sixteen_banks(), 4, lanes_apart(4).data(), all) == 2);
  CHECK(bank_wavefronts(sixteen_banks(), 4, lanes_apart(0).data(), all) == 2);
  CHECK(bank_wavefronts(sixteen_banks(), 4, lanes_apart(64).data(), all) == 32);
  CHECK(bank_wavefronts(sixteen_banks(), 4, lanes_apart(17 * 4).data(), all) == 2);
  CHECK(bank_wavefronts(sixteen_banks(), 4, lanes_apart(4).data(), 0xFFFFu) == 1);
  // Kepler: 32 banks of 8 bytes, so two words of a column lie in one row of them.
  CHECK(bank_wavefronts(kepler(4), 4, lanes_apart(4).data(), all) == 1);
  CHECK(bank_wavefronts(kepler(4), 4, lanes_apart(128).data(), all) == 16);
  CHECK(bank_wavefronts(kepler(4), 8, lanes_apart(8).data(), all) == 1);
  CHECK(bank_wavefronts(kepler(8), 8, lanes_apart(8).data(), all) == 1);
  CHECK(bank_wavefronts(kepler(8), 8, lanes_apart(33 * 8).data(), all) == 1);
  CHECK(bank_wavefronts(kepler(4), 8, lanes_apart(33 * 8).data(), all) == 2);
}

TEST_CASE("more of anything takes longer", "[model]") {
  const DeviceProfile a100;
  const double plain = estimate(copy(), a100).total();
  CHECK(plain > a100.launch_us * 1e3);

  LaunchWork work = copy();
  work.issue.slots *= 10;
  CHECK(estimate(work, a100).issue > 9 * estimate(copy(), a100).issue);
  work = copy();
  work.counters.shared_load_wavefronts = 1000000;
  CHECK(estimate(work, a100).shared > 0);
  work = copy();
  work.issue.doubles = 80000;
  CHECK(estimate(work, a100).doubles > 0);
  work = copy();
  work.counters.global_load_sectors *= 8;
  work.traffic.loads.spanned *= 8;
  CHECK(estimate(work, a100).memory > 4 * estimate(copy(), a100).memory);
  work = copy();
  work.shared_bytes = 160 * 1024;  // one block at a time: nothing hides the latency
  CHECK(estimate(work, a100).latency > 4 * estimate(copy(), a100).latency);
}

TEST_CASE("a cache spares memory what it holds", "[model]") {
  const DeviceProfile a100;
  LaunchWork work = copy();
  const double once = estimate(work, a100).memory;
  work.counters.global_load_sectors *= 10;  // by the same block again: L1
  work.counters.global_load_requests *= 10;
  work.traffic.loads.accessed *= 10;
  CHECK(estimate(work, a100).memory == Approx(once));
  CHECK(estimate(work, a100).l2 == Approx(estimate(copy(), a100).l2));

  work = copy();
  work.counters.global_load_sectors *= 10;  // by ten blocks: L2
  CHECK(estimate(work, a100).memory == Approx(once));
  CHECK(estimate(work, a100).l2 > estimate(copy(), a100).l2);

  DeviceProfile small = a100;  // an L2 of half the footprint misses half of what comes again
  small.l2_bytes = 32000 * 32 / 2;
  CHECK(estimate(work, small).memory > 2 * once);
}

TEST_CASE("few blocks wait more than they work", "[model]") {
  const DeviceProfile a100;
  LaunchWork work = copy();
  const double all = estimate(work, a100).total();
  work.grid = {1, 1, 1};  // the same work by one block
  const CostBounds one = estimate(work, a100);
  CHECK(one.total() > 10 * all);
  CHECK(one.latency > one.issue + one.shared + one.l2 + one.memory);
}
