// spmv csr, a sparse matrix times a vector: the matrices, what is right, what it costs on one CPU thread, and what
// is often wrong.
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

namespace {

constexpr int kWarp = 32;

struct Matrix {
  const int *first, *columns;
  const float *values, *x;
  std::int64_t rows, cols, entries;

  explicit Matrix(const OracleCall* call)
      : first(static_cast<const int*>(call->inputs[0])),
        columns(static_cast<const int*>(call->inputs[1])),
        values(static_cast<const float*>(call->inputs[2])),
        x(static_cast<const float*>(call->inputs[3])),
        rows(call->sizes[0]),
        cols(call->sizes[1]),
        entries(call->sizes[2]) {}
};

// The bounds of the rows: rows + 1 numbers that ascend from 0 to `entries`.
void make_rows(const OracleInputs* call, OracleRandom& random) {
  const std::int64_t rows = call->sizes[0], entries = call->sizes[2];
  const std::string_view shape = call->distribution;
  auto* first = static_cast<int*>(call->inputs[0]);
  std::vector<std::int64_t> bounds(static_cast<std::size_t>(rows) + 1, entries);
  bounds[0] = 0;
  const std::int64_t spread = rows == 0 ? 1 : entries / rows / 2 + 1;
  for (std::int64_t r = 1; r < rows; ++r)
    bounds[r] = std::min(entries, entries * r / rows + random.below(spread));
  if (shape == "small_integers") {  // two of three rows end where they begin
    for (std::int64_t r = 1; r < rows; ++r)
      if (r % 3 != 1) bounds[r] = bounds[r - 1];
    if (rows > 1) bounds[rows - 1] = entries;  // so has the last one
  }
  if (shape == "dominant" && rows > 1) {
    const std::int64_t longest = 1 + random.below(rows - 1);
    for (std::int64_t r = 1; r < rows; ++r)
      bounds[r] = bounds[r] / 2 + (r >= longest ? entries - entries / 2 : 0);
  }
  std::copy(bounds.begin(), bounds.end(), first);
}

}  // namespace

// The columns of a row lie in a band about the diagonal that is half as wide again as the row is long, as in the
// matrices of most simulations.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1], entries = call->sizes[2];
  auto *first = static_cast<int*>(call->inputs[0]), *columns = static_cast<int*>(call->inputs[1]);
  auto *values = static_cast<float*>(call->inputs[2]), *x = static_cast<float*>(call->inputs[3]);
  make_rows(call, random);
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t length = first[r + 1] - first[r], width = std::min(cols, length * 3 / 2 + 1);
    const std::int64_t begin = std::clamp<std::int64_t>(cols * r / rows - width / 2, 0, cols - width);
    for (int k = first[r]; k < first[r + 1]; ++k) columns[k] = static_cast<int>(begin + random.below(width));
    std::sort(columns + first[r], columns + first[r + 1]);
  }
  for (std::int64_t k = 0; k < entries; ++k) values[k] = static_cast<float>(random.uniform(-1, 1));
  for (std::int64_t c = 0; c < cols; ++c) x[c] = static_cast<float>(random.uniform(-1, 1));
}

extern "C" void oracle(const OracleCall* call) {
  const Matrix a(call);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t r = 0; r < a.rows; ++r) {
    double sum = 0, magnitude = 0;
    for (int k = a.first[r]; k < a.first[r + 1]; ++k) {
      const double product = static_cast<double>(a.values[k]) * a.x[a.columns[k]];
      sum += product;
      magnitude += std::abs(product);
    }
    y.values[r] = sum;
    y.magnitudes[r] = magnitude;
    y.roundings[r] = a.first[r + 1] - a.first[r];
  }
}

extern "C" void baseline(const OracleCall* call) {
  const Matrix a(call);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < a.rows; ++r) {
    float sum = 0;
    for (int k = a.first[r]; k < a.first[r + 1]; ++k) sum += a.values[k] * a.x[a.columns[k]];
    y[r] = sum;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "the sum of each row without its last entry: row r ends before first[r + 1]",
      "the sum of the first 32 entries of each row only: the warp must go on until the row ends",
      "the sum over whole groups of 32 entries only: the last group of a row is rarely full",
      "the product with x[0], x[1], ... of a row's entries: the place in x is columns[k]",
      "the product with x[r] of row r: the place in x is columns[k]",
      "the sum of each row's values, not multiplied by x",
  };
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  const Matrix a(call);
  for (std::int64_t r = 0; r < a.rows; ++r) {
    const std::int64_t begin = a.first[r], length = a.first[r + 1] - begin;
    const std::int64_t count = which == 0   ? std::max<std::int64_t>(length - 1, 0)
                               : which == 1 ? std::min<std::int64_t>(length, kWarp)
                               : which == 2 ? length / kWarp * kWarp
                                            : length;
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t place = which == 3 ? i : which == 4 ? r : a.columns[begin + i];
      if (place >= a.cols) return "";  // it would read past the end of x
      sum += static_cast<double>(a.values[begin + i]) * (which == 5 ? 1 : a.x[place]);
    }
    call->expected[0].values[r] = sum;
  }
  return kWords[which];
}
