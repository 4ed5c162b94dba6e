#pragma once
// Ctrl-C and SIGTERM: end every child, let the main thread unwind (which removes temporary files), then die
// of the signal as the caller expects.

#include <atomic>

namespace cudalabs::cli {

class Interrupt {
 public:
  Interrupt();
  /// If a signal came, this does not return: the process dies of it, after everything else was cleaned up.
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>* flag() const;
};

}  // namespace cudalabs::cli
