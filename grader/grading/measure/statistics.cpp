#include "grader/grading/measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace cudalabs {
namespace {

constexpr double kNormal95 = 1.96;  // two-sided, for the ranks' binomial distribution
constexpr std::size_t kFewest = 6;  // from this count on 1 - 2 / 2^n reaches 95 %
constexpr double kFullClock = 0.97;

}  // namespace

MedianInterval median_interval(std::vector<double> values) {
  MedianInterval interval;
  const std::size_t n = values.size();
  interval.count = n;
  if (n == 0) return interval;
  std::sort(values.begin(), values.end());
  interval.median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  interval.low = values.front();
  interval.high = values.back();
  if (n < kFewest) return interval;
  // The r-th smallest value from either end, rounded so that the interval is too wide rather than too narrow.
  const double count = static_cast<double>(n);
  const double rank = std::floor((count - kNormal95 * std::sqrt(count)) / 2);
  const std::size_t r = rank < 1 ? 1 : static_cast<std::size_t>(rank);
  interval.low = values[r - 1];
  interval.high = values[n - r];
  return interval;
}

std::vector<double> at_full_clock(std::span<const Sample> samples, double top_mhz) {
  std::vector<double> times;
  for (const Sample& sample : samples) {
    if (sample.clock_mhz >= kFullClock * top_mhz) times.push_back(sample.ns);
  }
  return times;
}

double top_clock(std::span<const Sample> samples) {
  double top = 0;
  for (const Sample& sample : samples) top = std::max(top, sample.clock_mhz);
  return top;
}

double peak_bytes_per_ns(double memory_clock_khz, double bus_bits) {
  return 2 * memory_clock_khz * 1e3 * (bus_bits / 8) / 1e9;
}

}  // namespace cudalabs
