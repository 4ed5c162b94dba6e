#pragma once
// Regular patterns in the addresses of a warp's lanes.

#include <array>
#include <bit>
#include <cstdint>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// True if the lanes' addresses are evenly spaced, by the distance from lane 0 to lane 1. With a distance of
/// 0 all lanes have the same address; with their width they are adjacent.
template <class A>
[[nodiscard]] bool evenly_spaced(const A* places) {
  const A distance = places[1] - places[0];
  A differ = 0;
  for (std::uint32_t i = 0; i + 1 < kLanes; ++i) differ |= (places[i + 1] - places[i]) ^ distance;
  return differ == 0;
}

template <class A>
[[nodiscard]] bool evenly_spaced(const WarpAccess& a, const A* places) {
  return a.spacing == Spacing::Unknown ? evenly_spaced(places) : a.spacing == Spacing::Even;
}

/// Calls f(first lane, number of lanes) for the lanes of `mask` in ascending order, with one call for
/// adjacent lanes, each at a multiple of its width.
template <class A, class F>
void each_stretch(const WarpAccess& a, std::uint32_t mask, const A* places, F f) {
  const bool powers = std::has_single_bit(a.width);
  const bool aligned = powers && places[0] % a.width == 0;
  if (mask == kAllLanes && aligned && places[1] - places[0] == a.width && evenly_spaced(a, places))
    return f(0u, kLanes);
  std::uint32_t follow = 0;  // lanes that are adjacent to the previous one
  for (std::uint32_t i = 1; i < kLanes; ++i) {
    const bool behind = places[i] - places[i - 1] == a.width && (places[i] & (a.width - 1)) == 0;
    follow |= std::uint32_t{behind} << i;
  }
  follow &= powers ? mask & mask << 1 : 0;
  for (std::uint32_t left = mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto more = static_cast<std::uint32_t>(std::countr_one(follow >> lane >> 1));
    f(lane, more + 1);
    left &= ~1u << (lane + more);
  }
}

/// The load as a separate access; `offsets` receives its offsets.
inline WarpAccess by_itself(const SharedLoads& told, const SharedLoad& load,
                            std::array<std::uint32_t, kLanes>& offsets) {
  for (std::uint32_t i = 0; i < kLanes; ++i) offsets[i] = load.first + i * load.distance;
  WarpAccess a;
  a.kind = AccessKind::Load;
  a.space = AccessSpace::Shared;
  a.spacing = Spacing::Even;
  a.width = load.width;
  a.mask = kAllLanes;
  a.offsets = offsets.data();
  a.program = told.program;
  a.instruction = load.instruction;
  a.warp = told.warp;
  return a;
}

}  // namespace cudalabs::sim
