#pragma once
// What a device process is told to be. The grader's options and the settings of a device are this one struct;
// the list of its fields for the message is fields_of in control.h.

#include <cstdint>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/cost/profile.h"

namespace cudalabs {

enum class DeviceKind : std::uint8_t { Simulator, Gpu };

struct DeviceSetup {
  DeviceKind kind = DeviceKind::Simulator;
  /// Global memory of the card; on a GPU the most to give.
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  // For the simulator:
  std::uint64_t max_warp_instructions = 0;  ///< per launch; 0: no limit
  std::uint32_t threads = 0;                ///< workers; 0: one a core
  bool by_line = true;
  sim::Engine engine = sim::Engine::Auto;
  bool shows_progress = false;  ///< a LaunchBoard is written
  bool tells_time = false;      ///< each answer says for how long the card has worked, of all launches
  bool access_map = false;      ///< fill LaunchRecord::accesses (`grader explain`); slower
  std::uint32_t checkers = 0;   ///< sim::CheckerSet: what watches every launch
  sim::DeviceProfile profile;   ///< the card whose times are estimated
  /// The cards that the program sees, by their numbers on the machine; each has `memory_bytes`.
  std::vector<std::uint32_t> devices{0};
  // For a GPU: only the PTX that the simulator runs, and not what else a program holds for the card.
  bool simulated_code = false;
  /// A tool watches the process: what that opens and starts is not ours to refuse.
  bool watched_by_tool = false;
  /// The most memory of this machine for its process; 0: what can be spared.
  std::uint64_t process_bytes = 0;
  /// For the simulator: files in memory of the program's become the device's. Of programs that are trusted.
  bool shares_memory = false;
  int capability = 80;  ///< of the simulated card: 80 or 90 (sim::limits_of)
  bool operator==(const DeviceSetup&) const = default;
};

}  // namespace cudalabs
