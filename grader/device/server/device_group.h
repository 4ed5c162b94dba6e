#pragma once
// Several devices of one kind behind one Device, with one address space. Modules, allocations and the work of
// the default stream belong to the chosen device, device 0 at first. Streams and events know their own
// device.

#include <optional>

#include "grader/device/server/device.h"
#include "grader/sim/memory/devices.h"

namespace cudalabs {

class DeviceGroup {
 public:
  virtual ~DeviceGroup() = default;

  /// The devices' numbers on the machine, at least two.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& numbers() const = 0;
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(numbers().size()); }
  virtual void choose(std::uint32_t device) = 0;
  /// The device that busy_ns() is about: that of the stream used last, or the chosen one.
  [[nodiscard]] virtual std::uint32_t working() const = 0;

  /// As Device::load(), for a program whose variables `managed` all devices share. `first`: the same module
  /// on another device. Null: no device has loaded it yet.
  virtual Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary,
                                                     std::vector<std::string> managed,
                                                     const DeviceModule* first) = 0;

  /// Sets whether kernels of `device` may access allocations on `peer`.
  virtual void set_peer_access(std::uint32_t device, std::uint32_t peer, bool enabled) = 0;
  /// Lets kernels of these devices access an allocation, besides its own device and whatever peer access
  /// says.
  virtual void grant(DevicePtr pointer, sim::DeviceMask devices) = 0;
  /// None: there is no allocation at this address.
  [[nodiscard]] virtual std::optional<std::uint32_t> device_of(DevicePtr pointer) const = 0;
};

}  // namespace cudalabs
