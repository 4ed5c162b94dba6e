#pragma once
// The resources that one submission may use in all its calls together. A limit for each call alone would let
// sixty slow calls pass.

#include <algorithm>
#include <chrono>
#include <mutex>

#include "grader/course/lab.h"
#include "grader/device/protocol/outcome.h"

namespace cudalabs {

class Budget {
 public:
  explicit Budget(const SubmissionLimits& limits) : seconds_(limits.submission_seconds) {}

  void charge(const CallOutcome& call) { charge(call.seconds, call.processor_seconds); }
  /// Also charges what a program uses before its entries can be called.
  void charge(double seconds, double processor_seconds) {
    const std::lock_guard lock(mutex_);
    used_ += seconds;
    processor_ += processor_seconds;
  }
  /// The time that remains: wall-clock time, or processor time if that runs out first.
  [[nodiscard]] std::chrono::milliseconds left() const {
    const std::lock_guard lock(mutex_);
    const double least = std::min(seconds_ - used_, seconds_ - processor_ / kProcessors);
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(least, 0.0) * 1000));
  }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static constexpr double kProcessors = 4;  // processors that the submission may keep busy all the time

  mutable std::mutex mutex_;  // versions may run at once
  double seconds_, used_ = 0, processor_ = 0;
};

}  // namespace cudalabs
