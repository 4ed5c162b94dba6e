#include "grader/device/backends/simulator/card.h"

#include <cmath>
#include <string>

namespace cudalabs {

DeviceProperties properties_of(const DeviceSetup& setup) {
  DeviceProperties properties;
  sim::Limits& limits = properties.limits;
  limits = sim::limits_of(setup.capability);
  limits.global_bytes = setup.memory_bytes;
  properties.name = "cuda-labs simulator (sm_" + std::to_string(limits.compute_major) +
                    std::to_string(limits.compute_minor) + ")";
  properties.banks = sim::banks_of(setup.profile);
  return properties;
}

sim::LoadLatencies latencies_of(const sim::DeviceProfile& profile) {
  const auto clocks = [](double latency) { return static_cast<std::uint32_t>(std::lround(latency)); };
  return {clocks(profile.shared_latency),
          clocks(profile.l1_latency),
          clocks(profile.l2_latency),
          clocks(profile.memory_latency),
          static_cast<std::uint64_t>(profile.l1_bytes),
          static_cast<std::uint64_t>(profile.l2_bytes)};
}

sim::DeviceProfile with_banks(sim::DeviceProfile profile, const sim::KernelLimits& limits) {
  const auto bytes = static_cast<double>(limits.bank_bytes);
  if (bytes != 0 && profile.bank_bytes == 8) profile.bank_mode_bytes = bytes;
  return profile;
}

}  // namespace cudalabs
