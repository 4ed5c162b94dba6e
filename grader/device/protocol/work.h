#pragma once
// The work that a device process does for a submission, and an exit status that says which work needed too
// much memory: a process without memory cannot reliably send messages.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

enum class DeviceWork : std::uint8_t { Other, Loading, Launching, Copying, Summing };

inline constexpr int kOutOfMemoryStatus = 64;  ///< plus the DeviceWork

constexpr int out_of_memory_status(DeviceWork work) { return kOutOfMemoryStatus + static_cast<int>(work); }

/// None if the process ended for another reason.
constexpr std::optional<DeviceWork> out_of_memory_at(int exit_status) {
  const int work = exit_status - kOutOfMemoryStatus;
  if (work < 0 || work > static_cast<int>(DeviceWork::Summing)) return std::nullopt;
  return static_cast<DeviceWork>(work);
}

/// As msg::device_memory_overrun_at takes it.
constexpr std::string_view name_of(DeviceWork work) {
  switch (work) {
    case DeviceWork::Loading: return "loading";
    case DeviceWork::Launching: return "launching";
    case DeviceWork::Copying: return "copying";
    case DeviceWork::Summing: return "summing";
    case DeviceWork::Other: break;
  }
  return "other";
}

}  // namespace cudalabs
