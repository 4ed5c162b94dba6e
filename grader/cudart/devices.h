#pragma once
// The program's devices, and the owners of streams and memory.

#include <map>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

/// The number of devices that the program sees.
int device_count(const Runtime& runtime);
/// Error: cudaErrorInvalidDevice.
Status device_exists(const Runtime& runtime, int device);
/// The PCI bus of an existing device, derived from its number on the machine.
int pci_bus(const protocol::Welcome& kind, int device);
/// The device whose memory contains the pointer. Error: cudaErrorInvalidValue, no device's does.
Status device_of(Runtime& runtime, const void* pointer, int& device);

/// A value that each device has separately.
template <class T>
class PerDevice {
 public:
  T& here() { return values_[current_device]; }

 private:
  std::map<int, T> values_;
};

/// During its lifetime, calls go to that device, whichever device the thread has chosen.
class OnDevice {
 public:
  OnDevice(Runtime& runtime, int device) : runtime_(runtime), before_(current_device) {
    current_device = device;
    status_ = runtime_.choose(device);
  }
  ~OnDevice() {
    current_device = before_;
    static_cast<void>(runtime_.choose(before_));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  Runtime& runtime_;
  int before_;
  Status status_;
};

}  // namespace cudalabs::cudart
