// convolution constant: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what
// each function gets.
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace {

struct Problem {
  const float *x, *mask;
  std::int64_t n, taps;

  explicit Problem(const OracleCall* call)
      : x(static_cast<const float*>(call->inputs[0])),
        mask(static_cast<const float*>(call->inputs[1])),
        n(call->sizes[0]),
        taps(call->sizes[1]) {}

  [[nodiscard]] double at(std::int64_t j) const { return j >= 0 && j < n ? x[j] : 0; }
};

/// y[i] = the sum of term(i, j) for all weights j.
template <class Term>
void fill(const OracleCall* call, const Problem& p, Term term) {
  const OracleExpected& y = call->expected[0];
  for (std::int64_t i = 0; i < p.n; ++i) {
    double sum = 0, magnitude = 0;
    for (std::int64_t j = 0; j < p.taps; ++j) {
      const double product = term(i, j);
      sum += product;
      magnitude += std::fabs(product);
    }
    y.values[i] = sum;
    y.magnitudes[i] = magnitude;
    y.roundings[i] = static_cast<double>(p.taps);
  }
}

constexpr std::int64_t kBlocks[] = {128, 256, 512, 1024};
constexpr int kBlockCount = 4;

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  fill(call, p, [&](std::int64_t i, std::int64_t j) { return p.mask[j] * p.at(i + j - p.taps / 2); });
}

extern "C" void baseline(const OracleCall* call) {
  const Problem p(call);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < p.n; ++i) {
    const std::int64_t first = i - p.taps / 2;
    const std::int64_t begin = std::max<std::int64_t>(0, -first), end = std::min(p.taps, p.n - first);
    float sum = 0;
    for (std::int64_t j = begin; j < end; ++j) sum += p.mask[j] * p.x[first + j];
    y[i] = sum;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  const std::int64_t middle = p.taps / 2;
  switch (which) {
    case 0:
      fill(call, p,
           [&](std::int64_t i, std::int64_t j) { return p.mask[p.taps - 1 - j] * p.at(i + j - middle); });
      return "a convolution with the mask backwards: mask[0] belongs to x[i - middle]";
    case 1:
      fill(call, p, [&](std::int64_t i, std::int64_t j) { return p.mask[j] * p.at(i + j); });
      return "a convolution whose mask begins at x[i]: it begins at x[i - middle]";
    case 2:
      if (p.n == 0) return "";
      fill(call, p, [&](std::int64_t i, std::int64_t j) {
        return p.mask[j] * p.at(std::clamp<std::int64_t>(i + j - middle, 0, p.n - 1));
      });
      return "a convolution in which the first and the last element stand for those outside: they count as 0";
    case 3:
      fill(call, p, [&](std::int64_t i, std::int64_t j) {
        return j + 1 < p.taps ? p.mask[j] * p.at(i + j - middle) : 0;
      });
      return "a convolution without the last weight of the mask";
    case 4:
      if (p.taps % 2 == 1) return "";
      fill(call, p,
           [&](std::int64_t i, std::int64_t j) { return p.mask[j] * p.at(i + j - (p.taps - 1) / 2); });
      return "a convolution with the middle at (taps - 1) / 2: it is taps / 2, also for an even number of "
             "weights";
    case 5:
      fill(call, p, [&](std::int64_t i, std::int64_t j) {
        return i >= middle && i - middle + p.taps <= p.n ? p.mask[j] * p.at(i + j - middle) : 0;
      });
      return "a convolution with 0 where a part of the mask lies outside of x: only that part counts as 0";
    default: break;
  }
  const int block = which - 6;
  if (block >= kBlockCount) return nullptr;
  const std::int64_t width = kBlocks[block];
  if (p.n <= width) return "";
  fill(call, p, [&](std::int64_t i, std::int64_t j) {
    const std::int64_t at = i + j - middle;
    return at >= 0 && at / width == i / width ? p.mask[j] * p.at(at) : 0;
  });
  return text_of(call,
                 "a convolution that stops at the edges of a tile of {} elements: the tile needs taps - 1 "
                 "elements more",
                 width);
}
