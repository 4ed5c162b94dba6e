#include "grader/sim/timing/schedule/list_schedule.h"

#include <algorithm>
#include <set>

namespace cudalabs::sim {

std::vector<std::uint32_t> list_schedule(InstructionGraph graph, RegisterPressure pressure,
                                         std::uint32_t limit, std::uint32_t window) {
  const auto count = static_cast<std::uint32_t>(graph.slots.size());
  std::vector<std::uint32_t> height(count), ready(count);  // clocks to the end, clock of the start
  for (std::uint32_t k = count; k-- > 0;) {
    for (const auto& [to, clocks] : graph.after[k]) height[k] = std::max(height[k], height[to] + clocks);
  }
  using Ordered = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  Ordered later;                // clock, index
  Ordered now;                  // ~height, index
  Ordered held;                 // the same: ready, but without a register
  std::set<std::uint32_t> far;  // ready, but too far ahead
  std::vector<bool> done(count);
  std::vector<std::uint32_t> result;
  std::uint32_t clock = 0, lowest = 0;
  const auto is_near = [&](std::uint32_t k) { return window == ~0u || k < lowest + window; };
  const auto add = [&](std::uint32_t k) {
    if (is_near(k))
      now.emplace(~height[k], k);
    else
      far.insert(k);
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    if (graph.waits[k] == 0) add(k);
  }
  while (result.size() < count) {
    while (!later.empty() && (later.begin()->first <= clock || now.empty())) {
      const auto [at, k] = *later.begin();
      clock = std::max(clock, at);
      add(k);
      later.erase(later.begin());
    }
    if (now.empty() && held.empty()) {
      now.emplace(0, *far.begin());
      far.erase(far.begin());
    }
    const bool forced = now.empty();
    const auto first = forced ? held.begin() : now.begin();
    const std::uint32_t k = first->second;
    if (!forced && !pressure.fits(k, limit)) {
      held.insert(now.extract(first));
      continue;
    }
    (forced ? held : now).erase(first);
    result.push_back(k);
    if (pressure.start(k)) now.merge(held);
    done[k] = true;
    while (lowest < count && done[lowest]) ++lowest;
    while (!far.empty() && is_near(*far.begin())) {
      add(*far.begin());
      far.erase(far.begin());
    }
    clock += graph.slots[k];
    for (const auto& [to, clocks] : graph.after[k]) {
      ready[to] = std::max(ready[to], clock + clocks);
      if (--graph.waits[to] == 0) later.emplace(ready[to], to);
    }
  }
  return result;
}

}  // namespace cudalabs::sim
