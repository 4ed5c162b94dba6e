#pragma once
// The simulator as a Device. Everything runs at once, in the order of issue: a legal schedule for any correct
// use of streams, and the same one every time.

#include <memory>
#include <optional>

#include "grader/device/process/device.h"
#include "grader/simulator/cost/profile.h"
#include "grader/simulator/observers/checkers.h"

namespace cudalabs {

struct SimulatorDeviceOptions {
  sim::Limits limits;
  std::uint64_t max_warp_instructions = 0;  ///< per launch; 0: no limit
  unsigned threads = 0;                     ///< simulator workers; 0: one a core
  bool by_line = true;
  bool access_map = false;
  sim::CheckerSet checkers = 0;
  /// The card whose times are estimated; empty: everything takes 0 ns.
  std::optional<sim::DeviceProfile> profile;
};

std::unique_ptr<Device> make_simulator_device(const SimulatorDeviceOptions& options);

}  // namespace cudalabs
