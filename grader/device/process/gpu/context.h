#pragma once
// The one context of a card that a device process holds, and whether it is still of use.

#include <memory>

#include "grader/device/process/device.h"
#include "grader/device/process/gpu/driver.h"

namespace cudalabs::gpu {

/// Modules, streams and events hold on to it, so that they may go in any order. Used by one thread at a time,
/// though not always by the same.
class Context {
 public:
  /// The first card that the driver shows (CUDA_VISIBLE_DEVICES chooses another).
  static Result<std::shared_ptr<Context>> open();

  /// What a driver call's result means to CUDA's runtime. An error that destroys the context makes it lost.
  Status check(CUresult result);
  /// check(call()), for the calling thread; refused where the context is lost: such a call may never return.
  template <class Call>
  Status run(Call call) {
    if (!health_.ok()) return health_;
    const Status status = check(driver.set_context(context_));
    return status.ok() ? check(call()) : status;
  }

  /// Ok, or the error that destroyed the context.
  [[nodiscard]] const Status& health() const { return health_; }
  /// A kernel runs on that nothing can stop but the end of this process.
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
