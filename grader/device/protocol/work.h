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

/// For "the device needed more than 5 GiB ...".
constexpr std::string_view spelling(DeviceWork work) {
  switch (work) {
    case DeviceWork::Loading: return "to load the program's kernels";
    case DeviceWork::Launching: return "to run a kernel";
    case DeviceWork::Copying: return "for the program's arrays";
    case DeviceWork::Summing: return "to sum up what its kernels did";
    case DeviceWork::Other: break;
  }
  return "for what the program did";
}

}  // namespace cudalabs
