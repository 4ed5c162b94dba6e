#pragma once
// What the process is at: told if memory runs out.

#include <atomic>
#include <utility>

#include "grader/device/wire/work.h"

namespace cudalabs {

inline std::atomic<DeviceWork> current_work{DeviceWork::Other};

/// For as long as it lives. Another thread may start one while ours waits for it, and ends it first.
class Doing {
 public:
  explicit Doing(DeviceWork work) : before_(current_work.exchange(work)) {}
  ~Doing() { current_work = before_; }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  DeviceWork before_;
};

}  // namespace cudalabs
