// The sectors that the blocks of a launch access, compared with lanes in another order.

#include "grader/sim/timing/traffic.h"

#include <array>
#include <random>

#include "grader/sim/executable/program.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {

TEST_CASE("lanes side by side meet the sectors that they meet one by one") {
  Program program;
  program.code.resize(2);
  LaunchInfo launch;
  launch.program = &program;
  launch.config.grid = {4};
  ReuseObserver forward, backward;
  const auto by_lines = forward.worker(launch), by_lanes = backward.worker(launch);
  std::mt19937_64 random(11);
  for (std::uint64_t block = 0; block < 4; ++block) {
    for (WorkerObserver* of : {by_lines.get(), by_lanes.get()}) of->resume_block(block);
    for (int k = 0; k < 300; ++k) {
      // From one address for all, over neighbours, to a separate sector for each and beyond.
      const std::uint64_t distance = random() % 11 * 4,
                          first = (std::uint64_t{1} << 40) + random() % 4096 * 4;
      std::array<std::uint64_t, kLanes> addresses, turned;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        addresses[lane] = turned[kLanes - 1 - lane] = first + lane * distance;
      WarpAccess a;
      a.kind = random() % 3 == 0 ? AccessKind::Store : AccessKind::Load;
      a.space = AccessSpace::Global;
      a.mask = kAllLanes;
      a.program = &program;
      a.instruction = static_cast<std::uint32_t>(random() % 2);
      a.addresses = addresses.data();
      by_lines->access(a);
      a.addresses = turned.data();
      by_lanes->access(a);
    }
  }
  forward.merge(*by_lines);
  backward.merge(*by_lanes);
  const Traffic one = forward.traffic(), other = backward.traffic();
  REQUIRE(one.footprints.size() == 1);
  REQUIRE(other.footprints.size() == 1);
  CHECK(one.footprints[0].first == other.footprints[0].first);
  CHECK(one.footprints[0].last == other.footprints[0].last);
  CHECK(one.footprints[0].fresh == other.footprints[0].fresh);
  CHECK(one.footprints[0].met == other.footprints[0].met);
  CHECK(one.footprints[0].met < 600);
}

}  // namespace cudalabs::sim
