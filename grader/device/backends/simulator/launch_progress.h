#pragma once
// Writes a launch's progress to a LaunchBoard while the launch runs.

#include <string>

#include "grader/device/protocol/launch_board.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs {

/// Counts the finished blocks of one launch. It lives as long as the launch.
class LaunchProgress : public sim::Observer {
 public:
  /// `board` may be null: then nobody watches.
  LaunchProgress(LaunchBoard* board, const std::string& kernel, std::uint64_t blocks);
  /// Does not return while the terminal shows something about the launch.
  ~LaunchProgress() override;
  LaunchProgress(const LaunchProgress&) = delete;
  LaunchProgress& operator=(const LaunchProgress&) = delete;

  std::unique_ptr<sim::WorkerObserver> worker(const sim::LaunchInfo& launch) override;
  void merge(sim::WorkerObserver&) override {}

 private:
  LaunchBoard* board_;
};

}  // namespace cudalabs
