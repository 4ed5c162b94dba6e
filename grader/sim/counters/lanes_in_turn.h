#pragma once
// Lanes of a warp that load or store shared memory one after the other: in a loop of one instruction, or each
// by an instruction of its own. Bank conflicts do not show there, and the time is as long.

#include <array>
#include <cstdint>
#include <vector>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

class LanesInTurn {
 public:
  /// Takes a load or store by few lanes. `counters`, which must outlive this, are those of the instruction.
  void add(const WarpAccess& access, Counters& counters);
  /// Adds the conflicts that the lanes would have had together: the first access of each, the second of each,
  /// and so on.
  void end();

 private:
  struct Together {
    std::array<std::uint32_t, kLanes> offsets{};
    std::uint32_t mask = 0, width = 16;
    Counters* counters = nullptr;  ///< of the last lane's instruction
  };
  struct Kind {
    std::array<std::uint32_t, kLanes> accesses{};  ///< by lane
    std::vector<Together> together;                ///< the accesses of all lanes by their number
  };
  void end(Kind& kind, bool loads);

  Kind loads_, stores_;
  std::uint32_t warp_ = 0;
};

}  // namespace cudalabs::sim
