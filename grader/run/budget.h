#pragma once
// What one submission may take of the machine in all its calls together. The limit of a call alone
// lets sixty slow ones pass.

#include <algorithm>
#include <chrono>

#include "grader/config/lab.h"
#include "grader/device/wire/outcome.h"

namespace cudalabs {

class Budget {
 public:
  explicit Budget(const SubmissionLimits& limits) : seconds_(limits.submission_seconds) {}

  void charge(const CallOutcome& call) { charge(call.seconds, call.processor_seconds); }
  /// Also what a program takes before its entries can be called.
  void charge(double seconds, double processor_seconds) {
    used_ += seconds;
    processor_ += processor_seconds;
  }
  /// What is left of the time: of the clock, or as processor time if that runs out first.
  [[nodiscard]] std::chrono::milliseconds left() const {
    const double least = std::min(seconds_ - used_, seconds_ - processor_ / kProcessors);
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(least, 0.0) * 1000));
  }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static constexpr double kProcessors = 4;  // that may work for it all the time

  double seconds_, used_ = 0, processor_ = 0;
};

}  // namespace cudalabs
