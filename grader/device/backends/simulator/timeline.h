#pragma once
// The cards' clocks, with estimates that arrive later: a launch is estimated while its program goes on.

#include <chrono>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include "grader/device/backends/simulator/card_clocks.h"
#include "grader/sim/timing/bounds.h"

namespace cudalabs {

class Timeline {
 public:
  explicit Timeline(std::size_t cards) : clocks_(cards) {}

  /// The next step of the clocks; it happens at once unless an earlier step waits.
  void then(std::function<void(CardClocks&)> step) {
    if (!later_.empty() && estimate_.wait_for(std::chrono::seconds(0)) != std::future_status::timeout)
      settle();
    if (later_.empty())
      step(clocks_);
    else
      later_.push_back(std::move(step));
  }
  /// The card works for the estimated time. One estimate is under way at a time.
  void then(std::uint32_t card, std::shared_future<sim::Estimate> estimate) {
    settle();
    estimate_ = std::move(estimate);
    later_.push_back([this, card](CardClocks& clocks) { clocks.pass(card, estimate_.get().bounds.total()); });
  }
  /// Waits for the estimate that is under way.
  void settle() {
    for (const auto& step : std::exchange(later_, {})) step(clocks_);
    estimate_ = {};
  }
  /// The clocks without pending estimates.
  [[nodiscard]] const CardClocks& known() const { return clocks_; }

 private:
  CardClocks clocks_;
  std::shared_future<sim::Estimate> estimate_;
  std::vector<std::function<void(CardClocks&)>> later_;  ///< the first belongs to estimate_
};

}  // namespace cudalabs
