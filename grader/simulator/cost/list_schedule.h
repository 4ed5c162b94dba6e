#pragma once
// A list scheduler: of the instructions that could start, that one comes next for which most waits.

#include <cstdint>
#include <utility>
#include <vector>

#include "grader/simulator/cost/register_pressure.h"

namespace cudalabs::sim {

/// Instructions 0 to n-1 in the text's order; who waits stands behind what it waits for.
struct InstructionGraph {
  explicit InstructionGraph(std::size_t count) : slots(count), after(count), waits(count) {}
  void add_wait(std::uint32_t from, std::uint32_t to, std::uint32_t clocks) {
    after[from].emplace_back(to, clocks);
    ++waits[to];
  }
  std::vector<std::uint32_t> slots;  ///< clocks until the next can start
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> after;  ///< who waits, and so many clocks
  std::vector<std::uint32_t> waits;                                         ///< for so many
};

/// The order. What needs more than `limit` words of registers waits until others give some back, if there are
/// others; nothing starts `window` instructions ahead of the first that has not.
std::vector<std::uint32_t> list_schedule(InstructionGraph graph, RegisterPressure pressure,
                                         std::uint32_t limit, std::uint32_t window);

}  // namespace cudalabs::sim
