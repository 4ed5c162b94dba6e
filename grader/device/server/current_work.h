#pragma once
// What the process is working on, for the report if memory runs out.

#include <atomic>
#include <utility>

#include "grader/device/protocol/work.h"

namespace cudalabs {

inline std::atomic<DeviceWork> current_work{DeviceWork::Other};

/// Names the current work during its lifetime. Another thread may start one while ours waits, and ends it
/// first.
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
