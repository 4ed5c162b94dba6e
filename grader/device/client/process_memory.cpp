#include "grader/device/client/process_memory.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "grader/device/client/memory_group.h"

namespace cudalabs {
namespace {

constexpr std::uint64_t kOwn = std::uint64_t{1} << 30;    ///< overhead of a device besides its memory
constexpr std::uint64_t kMin = std::uint64_t{512} << 20;  ///< nothing can be graded with less

std::uint64_t available() {
  std::uint64_t kibibytes = 0, free = UINT64_MAX;
  std::ifstream lines("/proc/meminfo");
  for (std::string word; lines >> word;) {
    if (word == "MemAvailable:" && lines >> kibibytes) free = kibibytes << 10;
  }
  return std::min(free, spare_in_groups());
}

}  // namespace

std::uint64_t process_memory(const DeviceSetup& setup, bool& is_short) {
  // A device's checkers need up to as much memory again as the device. A card has memory of its own.
  const bool bounded = simulates(setup.kind) && setup.memory_bytes < UINT64_MAX / 4;
  const std::uint64_t wanted = bounded ? 2 * setup.devices.size() * setup.memory_bytes + kOwn : UINT64_MAX;
  const std::uint64_t spare = available();
  const std::uint64_t most = std::max(kMin, spare - spare / 4);
  is_short = bounded && most < wanted;
  return std::min(wanted, most);
}

}  // namespace cudalabs
