#pragma once
// The settings of a device process. The grader's options and the device's settings are this one struct;
// fields_of in control.h lists its fields for the message.

#include <cstdint>
#include <vector>

#include "grader/device/protocol/device_kind.h"
#include "grader/sim/base/types.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs {

struct DeviceSetup {
  DeviceKind kind = DeviceKind::Simulator;
  /// Global memory of the card; on a GPU the maximum to use.
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  // For the simulator:
  std::uint64_t max_warp_instructions = 0;  ///< per launch; 0: no limit
  std::uint32_t threads = 0;                ///< workers; 0: one per core
  bool by_line = true;
  sim::Engine engine = sim::Engine::Auto;
  bool shows_progress = false;  ///< writes a LaunchBoard
  bool tells_time = false;      ///< each answer says how long the card has worked in total
  bool access_map = false;      ///< fill LaunchRecord::accesses (`grader explain`); slower
  std::uint32_t checkers = 0;   ///< sim::CheckerSet: the checkers for every launch
  sim::DeviceProfile profile;   ///< the card that the cost model estimates
  /// The cards that the program sees, by their numbers on the machine; each has `memory_bytes`.
  std::vector<std::uint32_t> devices{0};
  // For a GPU: use only the PTX that the simulator runs, and no other code of the program for the card.
  bool simulated_code = false;
  /// A tool watches the process: we cannot refuse the tool's own files and processes.
  bool watched_by_tool = false;
  /// The most memory of this machine for its process; 0: as much as can be spared.
  std::uint64_t process_bytes = 0;
  /// For the simulator: the program's memory files become the device's memory. Only for trusted programs.
  bool shares_memory = false;
  int capability = 80;  ///< of the simulated card: 80 or 90 (sim::limits_of)
  bool operator==(const DeviceSetup&) const = default;
};

}  // namespace cudalabs
