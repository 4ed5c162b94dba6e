#pragma once
// Handles Ctrl-C and SIGTERM: ends every child, lets the main thread unwind (which removes temporary files),
// and then dies of the signal as the caller expects.

#include <atomic>

namespace cudalabs::cli {

class Interrupt {
 public:
  Interrupt();
  /// If a signal arrived, this does not return: the process dies of it after all other cleanup.
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>* flag() const;
};

}  // namespace cudalabs::cli
