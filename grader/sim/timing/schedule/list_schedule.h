#pragma once
// A list scheduler: among the ready instructions it selects the one with the longest dependent chain.

#include <cstdint>
#include <utility>
#include <vector>

#include "grader/sim/timing/schedule/register_pressure.h"

namespace cudalabs::sim {

/// Instructions 0 to n-1 in program order; an instruction comes after those that it depends on.
struct InstructionGraph {
  explicit InstructionGraph(std::size_t count) : slots(count), after(count), waits(count) {}
  void add_wait(std::uint32_t from, std::uint32_t to, std::uint32_t clocks) {
    after[from].emplace_back(to, clocks);
    ++waits[to];
  }
  std::vector<std::uint32_t> slots;  ///< clocks until the next can start
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> after;  ///< dependents, each with clocks
  std::vector<std::uint32_t> waits;                                         ///< number of predecessors
};

/// Returns the order. An instruction that would need more than `limit` words of registers is delayed until
/// others free some, if there are others; none starts `window` instructions ahead of the first pending one.
std::vector<std::uint32_t> list_schedule(InstructionGraph graph, RegisterPressure pressure,
                                         std::uint32_t limit, std::uint32_t window);

}  // namespace cudalabs::sim
