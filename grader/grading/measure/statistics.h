#pragma once
// Statistics of a few measured times. Pure functions: no clocks, no devices.

#include <cstddef>
#include <span>
#include <vector>

namespace cudalabs {

/// One timed repetition.
struct Sample {
  double ns = 0;
  double clock_mhz = 0;  ///< the GPU's clock right after the repetition; 0: not known
};

/// The median and its 95 % confidence interval, computed from ranks, so it assumes no distribution of the
/// times. Fewer than six values cannot give 95 %, so the interval then covers all of them.
struct MedianInterval {
  std::size_t count = 0;
  double median = 0, low = 0, high = 0;
  /// Width of the interval relative to the median; 1 if the median is 0.
  [[nodiscard]] double relative_width() const { return median > 0 ? (high - low) / median : 1; }
};
MedianInterval median_interval(std::vector<double> values);

/// The times of the samples whose clock is known to be within 3 % of `top_mhz`; all of them if no clock is
/// known. During the others the GPU was throttled or still waking up.
std::vector<double> at_full_clock(std::span<const Sample> samples, double top_mhz);

/// The highest clock of all samples; 0 if none is known.
double top_clock(std::span<const Sample> samples);

/// Peak rate of a GPU's memory in bytes per nanosecond: two transfers per clock on every line of its bus.
double peak_bytes_per_ns(double memory_clock_khz, double bus_bits);

}  // namespace cudalabs
