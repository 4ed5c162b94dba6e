// lab6 variant1, sum of five neighbours: what is right,
// what it costs on one CPU thread, and what is often wrong.
#include <algorithm>
#include <cmath>

#include "oracle.h"

namespace {

constexpr std::int64_t kReach = 2;  ///< neighbours to each side

/// y[i] = x[first(i)] + ... + x[last(i)], with the magnitudes that the bound of sum_of_products is made of.
template <class First, class Last>
void fill(const OracleCall* call, First first, Last last) {
  const auto* x = static_cast<const float*>(call->inputs[0]);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t i = 0; i < y.count; ++i) {
    double sum = 0, magnitude = 0;
    for (std::int64_t j = std::max<std::int64_t>(first(i), 0); j <= std::min(last(i), y.count - 1); ++j) {
      sum += x[j];
      magnitude += std::fabs(x[j]);
    }
    y.values[i] = sum;
    y.magnitudes[i] = magnitude;
    y.roundings[i] = 2 * kReach + 1;
  }
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(
      call, [](std::int64_t i) { return i - kReach; }, [](std::int64_t i) { return i + kReach; });
}

// The course's plain C program: what speedups are measured against.
extern "C" void baseline(const OracleCall* call) {
  const auto* x = static_cast<const float*>(call->inputs[0]);
  auto* y = static_cast<float*>(call->results[0]);
  const std::int64_t n = call->sizes[0];
  for (std::int64_t i = 0; i < n; ++i) {
    float sum = 0;
    for (std::int64_t j = std::max<std::int64_t>(i - kReach, 0); j <= std::min(i + kReach, n - 1); ++j)
      sum += x[j];
    y[i] = sum;
  }
}

// What a submission with a well-known mistake returns; the words go after "this is ".
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  switch (which) {
    case 0:
      fill(
          call, [](std::int64_t i) { return i - kReach; }, [](std::int64_t i) { return i + kReach - 1; });
      return "the sum without the last neighbour: j runs up to i + 2";
    case 1:
      fill(
          call, [](std::int64_t i) { return i - kReach; }, [](std::int64_t i) { return i; });
      return "the sum of the left neighbours only";
    case 2:
      fill(
          call, [](std::int64_t i) { return std::max(i - kReach, i / 256 * 256); },
          [](std::int64_t i) { return std::min(i + kReach, i / 256 * 256 + 255); });
      return "a sum that stops at the edges of a block of 256: the tile needs two elements more on each side";
    default: return nullptr;
  }
}
