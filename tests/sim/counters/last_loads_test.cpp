// Repeated loads of a warp's lanes, compared with an implementation that examines the lanes one by one.

#include "grader/sim/counters/last_loads.h"

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

class LaneByLane {
 public:
  template <class Address>
  std::uint32_t add(std::uint32_t mask, const Address* addresses) {
    std::uint32_t again = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      std::deque<std::uint64_t>& last = of_[lane];
      if (std::ranges::find(last, addresses[lane]) != last.end()) {
        ++again;
        continue;
      }
      last.push_front(addresses[lane]);
      if (last.size() > 4) last.pop_back();
    }
    return again;
  }

 private:
  std::array<std::deque<std::uint64_t>, kLanes> of_;
};

struct Random {
  std::mt19937_64 engine{7};
  std::uint64_t below(std::uint64_t end) { return engine() % end; }
};

/// Inactive lanes have the address of the first active one.
template <class Address>
std::array<Address, kLanes> places(std::uint32_t mask, std::uint64_t first, std::int64_t distance) {
  std::array<Address, kLanes> all{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const bool active = (mask >> lane & 1) != 0;
    const auto from = active ? lane : static_cast<std::uint32_t>(std::countr_zero(mask));
    all[lane] = static_cast<Address>(first + from * static_cast<std::uint64_t>(distance));
  }
  return all;
}

}  // namespace

TEST_CASE("what lanes load again is the same side by side and lane by lane") {
  Random random;
  std::uint64_t again = 0, some = 0;
  for (int round = 0; round < 3000; ++round) {
    LastLoads last;
    LaneByLane right;
    // Warps whose loads are all evenly spaced, some whose first loads are, and some whose loads never are.
    const std::uint64_t kind = random.below(4);
    const std::uint32_t usual = kind == 0 ? kAllLanes : kAllLanes << random.below(4) >> random.below(28) | 1;
    for (int k = 0; k < 24; ++k) {
      const bool odd = kind == 3 && random.below(4) == 0;
      const std::uint32_t mask =
          odd ? static_cast<std::uint32_t>(random.engine()) | 1 << random.below(32) : usual;
      const std::int64_t distance = (static_cast<std::int64_t>(random.below(5)) - (kind == 2 ? 2 : 0)) * 4;
      const std::uint64_t first = 512 + random.below(40) * 4;
      const bool shared = random.below(2) == 0;
      const auto spacing = mask == kAllLanes && random.below(2) == 0 ? Spacing::Even : Spacing::Unknown;
      std::uint32_t got = 0, wanted = 0;
      if (shared) {
        auto offsets = places<std::uint32_t>(mask, first, distance);
        if (odd) offsets[static_cast<std::size_t>(std::countr_zero(mask))] += 4;
        wanted = right.add(mask, offsets.data());
        got = last.add(mask, offsets.data(), odd ? Spacing::Unknown : spacing);
      } else {
        const auto addresses = places<std::uint64_t>(mask, first + (std::uint64_t{1} << 40), distance);
        wanted = right.add(mask, addresses.data());
        got = last.add(mask, addresses.data(), spacing);
      }
      if (got != wanted) FAIL("round " << round << ", load " << k << ": " << got << " for " << wanted);
      again += got;
      some += got != 0 && got != static_cast<std::uint32_t>(std::popcount(mask)) ? 1 : 0;
    }
  }
  CHECK(again > 30000);
  CHECK(some > 1000);
}

}  // namespace cudalabs::sim
