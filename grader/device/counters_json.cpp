#include "grader/device/counters_json.h"

#include <nlohmann/json.hpp>

namespace cudalabs {
namespace {

std::string text(const sim::Dim3& size) {
  return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

}  // namespace

std::string counters_json(const std::vector<LaunchRecord>& launches) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const LaunchRecord& launch : launches) {
    Json one;
    one["kernel"] = launch.kernel;
    one["grid"] = text(launch.grid);
    one["block"] = text(launch.block);
    const sim::Counters& counters = launch.counters;
#define CUDALABS_COUNTER(name) one[#name] = counters.name
    CUDALABS_COUNTER(shared_load_instructions);
    CUDALABS_COUNTER(shared_load_wavefronts);
    CUDALABS_COUNTER(shared_load_bank_conflicts);
    CUDALABS_COUNTER(shared_store_instructions);
    CUDALABS_COUNTER(shared_store_wavefronts);
    CUDALABS_COUNTER(shared_store_bank_conflicts);
    CUDALABS_COUNTER(global_load_requests);
    CUDALABS_COUNTER(global_load_sectors);
    CUDALABS_COUNTER(global_store_requests);
    CUDALABS_COUNTER(global_store_sectors);
    CUDALABS_COUNTER(warp_instructions);
    CUDALABS_COUNTER(thread_instructions);
#undef CUDALABS_COUNTER
    one["time_ns"] = launch.estimated_ns;
    all.push_back(std::move(one));
  }
  // Names come from the program; bytes that are no UTF-8 are replaced, not thrown over.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cudalabs
