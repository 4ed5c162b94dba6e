#pragma once
// The devices that there are, and which of them is whose.

#include <map>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

/// How many the program sees.
int device_count(const Runtime& runtime);
/// Error: cudaErrorInvalidDevice.
Status device_exists(const Runtime& runtime, int device);
/// The PCI bus of one that exists: its number on the machine tells it.
int pci_bus(const protocol::Welcome& kind, int device);
/// Whose memory is around the pointer. Error: cudaErrorInvalidValue, nobody's.
Status device_of(Runtime& runtime, const void* pointer, int& device);

/// Something that each device has of its own.
template <class T>
class PerDevice {
 public:
  T& here() { return values_[current_device]; }

 private:
  std::map<int, T> values_;
};

/// While it lives, calls are that device's, whichever the program's thread has chosen.
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
