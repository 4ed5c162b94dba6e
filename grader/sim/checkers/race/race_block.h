#pragma once
// The data that racecheck keeps for a running block.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "grader/sim/checkers/race/race_shadow.h"
#include "grader/sim/checkers/race/release_acquire.h"
#include "grader/sim/checkers/race/shared_phase.h"

namespace cudalabs::sim {

/// When the lanes of a warp last passed a `.sync` instruction.
struct Synced {
  std::array<std::uint32_t, kLanes> when{};
  std::uint32_t first = 0, last = 0;  ///< of all lanes

  void pass(std::uint32_t mask, std::uint32_t now) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      when[static_cast<std::uint32_t>(std::countr_zero(left))] = now;
    last = now;
    first = *std::ranges::min_element(when);
  }
};

struct RaceBlock {
  explicit RaceBlock(std::uint32_t shared_bytes) : shared(shared_bytes), phase((shared_bytes + 3) / 4) {}

  /// For the next block. The marks in shared memory belong to the previous block and are therefore stale.
  void reuse() {
    RaceBlock fresh(std::move(shared), std::move(phase));
    *this = std::move(fresh);
  }

  Area shared;
  SharedPhase phase;
  BlockPast past;
  std::array<Synced, 32> synced{};

 private:
  RaceBlock(Area&& marked, SharedPhase&& begun) : shared(std::move(marked)), phase(std::move(begun)) {
    phase.barrier();
  }
};

}  // namespace cudalabs::sim
