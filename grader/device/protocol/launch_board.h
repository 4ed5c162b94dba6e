#pragma once
// The device process writes here about the running launch, for a grader that shows it on the terminal. The
// board is at the beginning of the grader's staging buffer, which nothing else uses while a program is
// served.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cudalabs {

struct LaunchBoard {
  static constexpr std::size_t kNameBytes = 256;

  /// The device process sets it after it has written everything else. It clears it before it reports the
  /// launch's end, and then waits until nothing is shown.
  std::atomic<std::uint32_t> running;
  /// The grader sets it while the terminal shows a line about the launch.
  std::atomic<std::uint32_t> shown;
  std::atomic<std::uint64_t> launch;  ///< its number in the program, from 1
  std::atomic<std::uint64_t> blocks_done, blocks;
  std::atomic<std::int64_t> began_ns;  ///< on the machine's steady clock
  char kernel[kNameBytes];             ///< demangled, truncated if it is longer; ends with 0
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "two processes share it");

}  // namespace cudalabs
