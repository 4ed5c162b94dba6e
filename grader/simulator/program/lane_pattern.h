#pragma once
// How the places of a warp's lanes stand to each other.

#include <array>

#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// True if every lane's place lies as far from the one before as lane 1's from lane 0's. With a distance of 0
/// all lanes are at one place, with that of their width side by side.
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

/// The load as it would have been told by itself; `offsets` is where its places are put.
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
