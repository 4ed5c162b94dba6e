#pragma once
// The result of measuring one version on a GPU, as the score and the reports use it.

#include <cstdint>
#include <string>

#include "grader/base/message.h"

namespace cudalabs {

/// The time of one program's call, in nanoseconds.
struct CallTime {
  double call_ns = 0;              ///< the whole call: median over the repetitions
  double low_ns = 0, high_ns = 0;  ///< 95 % confidence interval of the median
  double kernel_ns = 0;            ///< sum over its launches, each timed alone; 0: not known
  std::uint32_t repetitions = 0;   ///< that count
  std::uint32_t throttled = 0;     ///< further ones, dropped because the card's clock was low
  Messages live_reason;            ///< why it was timed live instead of replayed; empty: it was replayed

  [[nodiscard]] double relative_width() const { return call_ns > 0 ? (high_ns - low_ns) / call_ns : 1; }
};

struct Measurement {
  CallTime student, reference;
  double least_ns = 0;   ///< reading the input alone takes so long at the memory's peak rate
  double clock_mhz = 0;  ///< of the multiprocessors while it was measured; 0: not known
  Messages problem;      ///< why there is no time that counts; empty: there is
  Messages advice;       ///< what to do about it; empty: the usual
};

}  // namespace cudalabs
