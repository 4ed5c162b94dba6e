#pragma once
// Progress of `grader run` during a long kernel: a line on the terminal, and the running launch on Ctrl-C.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "grader/device/protocol/launch_board.h"

namespace cudalabs::cli {

/// A snapshot of a launch.
struct SeenLaunch {
  std::uint64_t number = 0, done = 0, blocks = 0;
  std::string kernel;  ///< without its parameters
  double seconds = 0;  ///< since its start
};

/// "launch 3, reduce: 1,204 of 4,096 blocks, 35 a second, 1 min 22 s left"
std::string progress_text(const SeenLaunch& launch);

class ProgressLine {
 public:
  /// `terminal`: stderr is a terminal that may be written to.
  explicit ProgressLine(bool terminal) : terminal_(terminal) {}

  /// Updates the line; called repeatedly while a program runs. The line appears after two seconds and is
  /// removed before the device process continues.
  void look(LaunchBoard& board);
  /// The launch that ran at the last update, if any.
  [[nodiscard]] const std::optional<SeenLaunch>& running() const { return running_; }
  /// Removes the line of a launch that will not end.
  void take_away();

 private:
  void show(const SeenLaunch& launch);

  const bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point drawn_;
  std::optional<SeenLaunch> running_;
};

}  // namespace cudalabs::cli
