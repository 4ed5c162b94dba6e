#include "grader/sim/counters/lanes_in_turn.h"

#include <algorithm>
#include <bit>

#include "grader/sim/counters/wavefronts.h"

namespace cudalabs::sim {
namespace {

/// After so many accesses of one lane its loop is long enough to be judged.
constexpr std::uint32_t kMost = 64;

}  // namespace

void LanesInTurn::add(const WarpAccess& access, Counters& counters) {
  if (access.warp != warp_) end();
  warp_ = access.warp;
  Kind& kind = access.kind == AccessKind::Load ? loads_ : stores_;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    if (kind.accesses[lane] == kMost) end();
    const std::uint32_t number = kind.accesses[lane]++;
    if (number >= kind.together.size()) kind.together.resize(number + 1);
    Together& together = kind.together[number];
    together.offsets[lane] = access.offsets[lane];
    together.mask |= 1u << lane;
    together.width = std::min(together.width, access.width);
    together.counters = &counters;
  }
  if (access.repeats > 1) end();  // each lane has done so more than once
}

void LanesInTurn::end() {
  end(loads_, true);
  end(stores_, false);
}

void LanesInTurn::end(Kind& kind, bool loads) {
  const auto as = loads ? counting::SharedAccess::Load : counting::SharedAccess::Store;
  for (const Together& together : kind.together) {
    if (std::popcount(together.mask) < 2) continue;
    together.counters->shared_serial_conflicts += static_cast<std::uint64_t>(counting::shared_conflicts(
        static_cast<int>(together.width), together.offsets.data(), together.mask, as));
  }
  kind.together.clear();
  kind.accesses = {};
}

}  // namespace cudalabs::sim
