#include "grader/sim/counters/lanes_in_turn.h"

#include <array>

#include "grader/sim/executable/program.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// `lane` loads or stores the float at `offset`.
void one_lane(LanesInTurn& turns, Counters& counters, std::uint32_t lane, std::uint32_t offset,
              AccessKind kind = AccessKind::Load, std::uint32_t warp = 0) {
  std::array<std::uint32_t, kLanes> offsets{};
  offsets[lane] = offset;
  WarpAccess access;
  access.kind = kind;
  access.space = AccessSpace::Shared;
  access.offsets = offsets.data();
  access.mask = 1u << lane;
  access.warp = warp;
  turns.add(access, counters);
}

}  // namespace

TEST_CASE("lanes in turn conflict as they would together, whatever instructions they have", "[counters]") {
  LanesInTurn turns;
  std::array<Counters, kLanes> own{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) one_lane(turns, own[lane], lane, lane * 128);
  turns.end();
  CHECK(own[31].shared_serial_conflicts == 31);
  CHECK(own[0].shared_serial_conflicts == 0);

  Counters one{};  // two loads in each turn, of neighbours and of a column
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    one_lane(turns, one, lane, lane * 4);
    one_lane(turns, one, lane, lane * 128);
  }
  turns.end();
  CHECK(one.shared_serial_conflicts == 31);
}

TEST_CASE("a lane alone, stores between loads and other warps are no turns", "[counters]") {
  LanesInTurn turns;
  Counters counters{};
  for (std::uint32_t i = 0; i < 1000; ++i) one_lane(turns, counters, 0, i * 128);
  one_lane(turns, counters, 1, 0, AccessKind::Store);
  one_lane(turns, counters, 2, 128, AccessKind::Load, 1);
  turns.end();
  CHECK(counters.shared_serial_conflicts == 0);
}

}  // namespace cudalabs::sim
