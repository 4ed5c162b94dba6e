#pragma once
// Iterates over the lanes of a mask, and over those that a `.sync` instruction joins.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

template <class F>
void each(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// Number of the barrier that `lane` waits at.
inline std::uint32_t barrier_number(const Inst& i, const std::byte* frame, int lane) {
  if (i.a == kNone) return i.extra;
  std::uint32_t number = 0;
  std::memcpy(&number, frame + i.a + 4 * lane, sizeof number);
  return number & 15;
}

/// Calls `f(members, lanes)` for groups of lanes at a `.sync` instruction with the same member mask: the two
/// halves of a warp may meet at one instruction with different masks.
template <class F>
void each_mask(Exec& x, const Inst& i, std::uint32_t lanes, F f) {
  const auto* members = slot<std::uint32_t>(x, i.target);
  while (lanes != 0) {
    const std::uint32_t named = members[std::countr_zero(lanes)];
    std::uint32_t same = 0;
    for (std::uint32_t l = 0; l < kLanes; ++l) same |= static_cast<std::uint32_t>(members[l] == named) << l;
    same &= lanes;
    f(named, same);
    lanes &= ~same;
  }
}

/// The lanes of `lanes` whose members are all `present` (or have exited).
inline std::uint32_t sync_ready(Exec& x, const Inst& i, std::uint32_t lanes, std::uint32_t live,
                                std::uint32_t present) {
  std::uint32_t ready = 0;
  each_mask(x, i, lanes, [&](std::uint32_t members, std::uint32_t same) {
    ready |= (members & live & ~present) == 0 ? same : 0;
  });
  return ready;
}

inline void sync_groups(Exec& x, const Inst& i, std::uint32_t lanes) {
  each_mask(x, i, lanes, [&](std::uint32_t, std::uint32_t same) { i.full(x, i, same); });
}

}  // namespace cudalabs::sim
