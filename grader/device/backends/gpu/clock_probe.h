#pragma once
// Measures the frequency of the multiprocessors' clock on the card itself. A card that is hot or short of
// power slows down silently, and a time measured then means little.

#include "grader/device/backends/gpu/context.h"

namespace cudalabs::gpu {

class ClockProbe {
 public:
  explicit ClockProbe(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~ClockProbe();
  ClockProbe(const ClockProbe&) = delete;
  ClockProbe& operator=(const ClockProbe&) = delete;

  /// The frequency in MHz, over about 60 us behind the default stream's work; waits for it. 0: not
  /// measurable.
  double measure();

 private:
  bool load();

  std::shared_ptr<Context> context_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUdeviceptr result_ = 0;
};

}  // namespace cudalabs::gpu
