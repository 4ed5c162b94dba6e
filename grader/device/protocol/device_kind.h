#pragma once
// The kinds of devices: the rows of device_kinds.def.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "grader/sim/memory/devices.h"

namespace cudalabs {

enum class DeviceKind : std::uint8_t {
#define CUDALABS_DEVICE_KIND(kind, ...) kind,
#include "grader/device/protocol/device_kinds.def"
#undef CUDALABS_DEVICE_KIND
};

/// The device that the user asked for; Auto: a card if there is a working one, else the simulator.
enum class DeviceChoice : std::uint8_t {
  Auto,
#define CUDALABS_DEVICE_KIND(kind, ...) kind,
#include "grader/device/protocol/device_kinds.def"
#undef CUDALABS_DEVICE_KIND
};

struct DeviceKindInfo {
  DeviceKind kind{};
  DeviceChoice choice{};
  std::string_view name;  ///< of --device, and in results
  bool simulates = false, needs_driver = false;
  std::size_t max_devices = 0;
};

namespace device_table {
constexpr bool Simulates = true, Measures = false, Nothing = false, CudaDriver = true;
inline constexpr std::array kRows{
#define CUDALABS_DEVICE_KIND(kind, name, simulates, driver, most) \
  DeviceKindInfo{DeviceKind::kind, DeviceChoice::kind, #name, simulates, driver, most},
#include "grader/device/protocol/device_kinds.def"
#undef CUDALABS_DEVICE_KIND
};
}  // namespace device_table

/// In the order of enum DeviceKind.
inline constexpr auto& kDeviceKinds = device_table::kRows;

/// False for a value that no kind has, which a sender may send.
constexpr bool is_device_kind(DeviceKind kind) {
  return static_cast<std::size_t>(kind) < kDeviceKinds.size();
}
constexpr const DeviceKindInfo& info_of(DeviceKind kind) {
  return kDeviceKinds.at(static_cast<std::size_t>(kind));
}
constexpr bool simulates(DeviceKind kind) { return is_device_kind(kind) && info_of(kind).simulates; }

/// Null: no kind has this name.
constexpr const DeviceKindInfo* device_named(std::string_view name) {
  const auto found = std::ranges::find(kDeviceKinds, name, &DeviceKindInfo::name);
  return found == kDeviceKinds.end() ? nullptr : &*found;
}
/// Null: Auto.
constexpr const DeviceKindInfo* device_chosen(DeviceChoice choice) {
  const auto found = std::ranges::find(kDeviceKinds, choice, &DeviceKindInfo::choice);
  return found == kDeviceKinds.end() ? nullptr : &*found;
}
/// What simulates for somebody with this choice.
constexpr DeviceKind simulator_of(DeviceChoice choice) {
  const DeviceKindInfo* const chosen = device_chosen(choice);
  return chosen != nullptr && chosen->simulates ? chosen->kind : DeviceKind::Simulator;
}

}  // namespace cudalabs
