#pragma once
// What a handful of times says. Pure functions: no clocks, no devices.

#include <cstddef>
#include <span>
#include <vector>

namespace cudalabs {

/// One timed repetition.
struct Sample {
  double ns = 0;
  double clock_mhz = 0;  ///< of the card right behind it; 0: not known
};

/// The median and its 95 % confidence interval, from ranks alone: nothing is assumed of how the times are
/// distributed. With fewer than six values no ranks give 95 %; the interval is then all of them.
struct MedianInterval {
  std::size_t count = 0;
  double median = 0, low = 0, high = 0;
  /// Width of the interval as a share of the median; 1 where there is none.
  [[nodiscard]] double relative_width() const { return median > 0 ? (high - low) / median : 1; }
};
MedianInterval median_interval(std::vector<double> values);

/// The times of the samples whose clock is known to be within 3 % of `top_mhz`; all of them where no clock is
/// known. The others were taken while the card was throttled, or still waking up.
std::vector<double> at_full_clock(std::span<const Sample> samples, double top_mhz);

/// The highest clock of all samples; 0 if none is known.
double top_clock(std::span<const Sample> samples);

/// Bytes a nanosecond that a card's memory moves at most: two transfers a clock on every line of its bus.
double peak_bytes_per_ns(double memory_clock_khz, double bus_bits);

}  // namespace cudalabs
