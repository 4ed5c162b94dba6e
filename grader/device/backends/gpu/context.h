#pragma once
// The one context of a card that a device process holds, and whether it still works.

#include <memory>

#include "grader/device/backends/gpu/driver.h"
#include "grader/device/server/device.h"

namespace cudalabs::gpu {

/// Modules, streams and events share ownership of it, so that they may be destroyed in any order. One thread
/// at a time uses it, but not always the same thread.
class Context {
 public:
  /// Opens the first card that the driver shows (CUDA_VISIBLE_DEVICES chooses another).
  static Result<std::shared_ptr<Context>> open();

  /// A driver call's result as an error of CUDA's runtime. An error that destroys the context makes it lost.
  Status check(CUresult result);
  /// check(call()), for the calling thread. Refused if the context is lost: such a call may never return.
  template <class Call>
  Status run(Call call) {
    if (!health_.ok()) return health_;
    const Status status = check(driver.set_context(context_));
    return status.ok() ? check(call()) : status;
  }

  /// Ok, or the error that destroyed the context.
  [[nodiscard]] const Status& health() const { return health_; }
  /// Marks the context as lost: only the end of this process can stop the kernel that still runs.
  void lose(Status why) { health_ = std::move(why); }

  [[nodiscard]] int attribute(CUdevice_attribute attribute) const;
  [[nodiscard]] const DeviceProperties& properties() const { return properties_; }

  const Driver& driver;

 private:
  Context(const Driver& driver, CUdevice device, CUcontext context);

  CUdevice device_;
  CUcontext context_;
  Status health_;
  DeviceProperties properties_;
};

}  // namespace cudalabs::gpu
