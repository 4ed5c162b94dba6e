#pragma once
// `grader run` while a kernel takes long: a line on the terminal, and what ran when somebody pressed Ctrl-C.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "grader/device/wire/launch_board.h"

namespace cudalabs::cli {

/// A launch as it was seen.
struct SeenLaunch {
  std::uint64_t number = 0, done = 0, blocks = 0;
  std::string kernel;  ///< without its parameters
  double seconds = 0;  ///< since it began
};

/// "launch 3, reduce: 1,204 of 4,096 blocks, 35 a second, 1 min 22 s left"
std::string progress_text(const SeenLaunch& launch);

class ProgressLine {
 public:
  /// `terminal`: stderr is one, and may be written to.
  explicit ProgressLine(bool terminal) : terminal_(terminal) {}

  /// Looks at what runs, again and again while a program does. It is shown from its third second on, and
  /// taken away before the device process goes on.
  void look(LaunchBoard& board);
  /// What ran when it looked last; nothing if nothing did.
  [[nodiscard]] const std::optional<SeenLaunch>& running() const { return running_; }
  /// The line of a launch that will not end.
  void take_away();

 private:
  void show(const SeenLaunch& launch);

  const bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point drawn_;
  std::optional<SeenLaunch> running_;
};

}  // namespace cudalabs::cli
