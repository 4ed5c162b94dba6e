// softmax rows, the softmax of each row: the numbers, what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace {

struct Row {
  const float* x;
  std::int64_t cols;

  [[nodiscard]] double largest() const { return *std::max_element(x, x + cols); }
  /// The sum of exp(x - origin) over the first `count` elements.
  [[nodiscard]] double sum(double origin, std::int64_t count) const {
    double all = 0;
    for (std::int64_t c = 0; c < count; ++c) all += std::exp(x[c] - origin);
    return all;
  }
};

template <class F>
void each_row(const OracleCall* call, F f) {
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  for (std::int64_t r = 0; r < rows; ++r)
    f(Row{static_cast<const float*>(call->inputs[0]) + r * cols, cols}, r * cols);
}

}  // namespace

extern "C" void make_inputs(const OracleInputs* call) {
  const std::string_view distribution = call->distribution;
  const float more = distribution == "positive" ? 100.0F : distribution == "negative" ? -200.0F : 0.0F;
  auto* x = static_cast<float*>(call->inputs[0]);
  for (std::int64_t i = 0; i < call->counts[0]; ++i) x[i] += more;
}

extern "C" void oracle(const OracleCall* call) {
  each_row(call, [call](const Row& row, std::int64_t begin) {
    const double largest = row.largest(), sum = row.sum(largest, row.cols);
    for (std::int64_t c = 0; c < row.cols; ++c)
      call->expected[0].values[begin + c] = std::exp(row.x[c] - largest) / sum;
  });
}

extern "C" void baseline(const OracleCall* call) {
  each_row(call, [call](const Row& row, std::int64_t begin) {
    auto* y = static_cast<float*>(call->results[0]) + begin;
    const float largest = *std::max_element(row.x, row.x + row.cols);
    float sum = 0;
    for (std::int64_t c = 0; c < row.cols; ++c) {
      y[c] = std::exp(row.x[c] - largest);
      sum += y[c];
    }
    for (std::int64_t c = 0; c < row.cols; ++c) y[c] /= sum;
  });
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "exp(x - maximum) that is not divided by the row's sum",
      "the quotient by a sum without the row's last element",
      "the quotient by the sum over all rows: each row has a sum of its own",
      "exp(x) that is not divided by the row's sum",
      "the quotient by a sum over the first 32 columns only",
  };
  constexpr std::int64_t kWarp = 32;
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  double all = 0;
  if (which == 2) each_row(call, [&all](const Row& row, std::int64_t) { all += row.sum(0, row.cols); });
  each_row(call, [&](const Row& row, std::int64_t begin) {
    const double origin = which == 2 || which == 3 ? 0 : row.largest();
    const double sum = which == 1   ? row.sum(origin, row.cols - 1)
                       : which == 2 ? all
                       : which == 4 ? row.sum(origin, std::min(kWarp, row.cols))
                                    : 1;
    for (std::int64_t c = 0; c < row.cols; ++c)
      call->expected[0].values[begin + c] = std::exp(row.x[c] - origin) / sum;
  });
  return which == 1 && call->sizes[1] == 1 ? "" : kWords[which];
}
