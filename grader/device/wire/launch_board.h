#pragma once
// What a device process writes about the launch that runs, for a grader that shows it meanwhile. It stands at
// the beginning of the grader's staging buffer, which nothing else uses while a program is served.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cudalabs {

struct LaunchBoard {
  static constexpr std::size_t kNameBytes = 256;

  /// The device process sets it once everything else is written, and takes it back before the launch's end
  /// is told; then it waits until nothing is shown.
  std::atomic<std::uint32_t> running;
  /// The grader's: there is a line about it on the terminal.
  std::atomic<std::uint32_t> shown;
  std::atomic<std::uint64_t> launch;  ///< its number in the program, from 1
  std::atomic<std::uint64_t> blocks_done, blocks;
  std::atomic<std::int64_t> began_ns;  ///< of the machine's steady clock
  char kernel[kNameBytes];             ///< demangled, cut if it is longer; ends with 0
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "two processes share it");

}  // namespace cudalabs
