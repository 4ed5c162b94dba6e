#pragma once
// How the places of a warp's lanes stand to each other.

#include "grader/simulator/base/types.h"

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

}  // namespace cudalabs::sim
