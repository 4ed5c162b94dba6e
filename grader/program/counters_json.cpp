#include "grader/program/counters_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cudalabs {

std::string counters_json(const std::vector<LaunchRecord>& launches) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  const bool several =
      std::ranges::any_of(launches, [](const LaunchRecord& launch) { return launch.device != 0; });
  for (const LaunchRecord& launch : launches) {
    Json one;
    one["kernel"] = launch.kernel;
    one["grid"] = launch.grid.text();
    one["block"] = launch.block.text();
    if (several) one["device"] = launch.device;
    launch.counters.each(sim::CounterShown::Everywhere,
                         [&](const char* name, std::uint64_t value) { one[name] = value; });
    one["time_ns"] = launch.estimated_ns();
    all.push_back(std::move(one));
  }
  // Names come from the program. Replace bytes that are not UTF-8 instead of throwing.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cudalabs
