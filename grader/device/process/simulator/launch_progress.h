#pragma once
// Tells a LaunchBoard of a launch while it runs.

#include <string>

#include "grader/device/wire/launch_board.h"
#include "grader/simulator/program/observer.h"

namespace cudalabs {

/// Counts the blocks that are done. For one launch, from its making to its end.
class LaunchProgress : public sim::Observer {
 public:
  /// `board` may be null: nobody looks.
  LaunchProgress(LaunchBoard* board, const std::string& kernel, std::uint64_t blocks);
  /// Does not return while something about the launch is shown.
  ~LaunchProgress() override;
  LaunchProgress(const LaunchProgress&) = delete;
  LaunchProgress& operator=(const LaunchProgress&) = delete;

  std::unique_ptr<sim::WorkerObserver> worker(const sim::LaunchInfo& launch) override;
  void merge(sim::WorkerObserver&) override {}

 private:
  LaunchBoard* board_;
};

}  // namespace cudalabs
