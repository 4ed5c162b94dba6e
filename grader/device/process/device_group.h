#pragma once
// Several devices of a kind behind one Device, with one address space. What is loaded, allocated and done on
// the default stream belongs to the chosen one, device 0 at first; streams and events know their own.

#include <optional>

#include "grader/device/process/device.h"
#include "grader/simulator/memory/cards.h"

namespace cudalabs {

class DeviceGroup {
 public:
  virtual ~DeviceGroup() = default;

  /// By their numbers on the machine. Two at least.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& numbers() const = 0;
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(numbers().size()); }
  virtual void choose(std::uint32_t device) = 0;
  /// Whose busy_ns() is: of the stream that was used last, else the chosen one.
  [[nodiscard]] virtual std::uint32_t working() const = 0;

  /// As Device::load(), of a program whose variables `managed` all devices have together. `first`: the same
  /// module on another device; null: no device has loaded it yet.
  virtual Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary,
                                                     std::vector<std::string> managed,
                                                     const DeviceModule* first) = 0;

  /// Whether kernels of `device` may touch what is allocated on `peer`.
  virtual void set_peer_access(std::uint32_t device, std::uint32_t peer, bool enabled) = 0;
  /// Who may touch an allocation beside its own device, whatever peer access says.
  virtual void grant(DevicePtr pointer, sim::CardSet devices) = 0;
  /// None: no allocation is there.
  [[nodiscard]] virtual std::optional<std::uint32_t> device_of(DevicePtr pointer) const = 0;
};

}  // namespace cudalabs
