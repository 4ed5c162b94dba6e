#pragma once
// How fast the multiprocessors' clock runs, from the card itself: a card that is hot or short of power slows
// down without a word, and a time taken then says little.

#include "grader/device/process/gpu/context.h"

namespace cudalabs::gpu {

class ClockProbe {
 public:
  explicit ClockProbe(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~ClockProbe();
  ClockProbe(const ClockProbe&) = delete;
  ClockProbe& operator=(const ClockProbe&) = delete;

  /// In MHz, over about 60 us behind what is on the default stream; waits for it. 0 if it cannot be told.
  double measure();

 private:
  bool load();

  std::shared_ptr<Context> context_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUdeviceptr result_ = 0;
};

}  // namespace cudalabs::gpu
