#pragma once
// Several devices with one address space, and which device's kernels may access which memory.

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs::sim {

/// A set of devices: bit n stands for device n.
using DeviceMask = std::uint32_t;
inline constexpr std::uint32_t kMaxDevices = 16;
/// A module's variable of this name holds the number of its device, and the number of devices.
inline constexpr std::string_view kDevicesVariable = "cudalabs_devices";
inline constexpr DeviceMask kAllDevices = ~DeviceMask{0};

inline bool holds(DeviceMask cards, std::uint32_t card) { return ((cards >> card) & 1) != 0; }

class Devices {
 public:
  /// Each device can access its own memory only.
  explicit Devices(std::uint32_t count) : reach_(count) {
    for (std::uint32_t card = 0; card < count; ++card) reach_[card] = DeviceMask{1} << card;
  }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(reach_.size()); }
  /// Selects the device that allocates, and that kernels run on.
  void select(std::uint32_t card) { selected_ = card; }
  [[nodiscard]] std::uint32_t selected() const { return selected_; }
  /// Sets whether kernels of `card` may access allocations of `peer` (cudaDeviceEnablePeerAccess).
  void set_reach(std::uint32_t card, std::uint32_t peer, bool reaches) {
    const DeviceMask bit = DeviceMask{1} << peer;
    reach_[card] = reaches ? reach_[card] | bit : reach_[card] & ~bit;
  }
  [[nodiscard]] bool reaches(std::uint32_t card, std::uint32_t peer) const {
    return holds(reach_[card], peer);
  }

 private:
  std::vector<DeviceMask> reach_;  ///< by device
  std::uint32_t selected_ = 0;
};

}  // namespace cudalabs::sim
