// @LAB@ @VARIANT@: the matrices, the right answer, and its time on one CPU thread.
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace {

struct Matrix {
  const int *first, *columns;
  const float *values, *x;

  explicit Matrix(const OracleCall* call)
      : first(static_cast<const int*>(call->inputs[0])),
        columns(static_cast<const int*>(call->inputs[1])),
        values(static_cast<const float*>(call->inputs[2])),
        x(static_cast<const float*>(call->inputs[3])) {}
};

}  // namespace

// Rows of similar lengths, so that the timed case takes as long for each seed; the columns of a row ascend, and
// one may occur several times.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1], entries = call->sizes[2];
  auto *first = static_cast<int*>(call->inputs[0]), *columns = static_cast<int*>(call->inputs[1]);
  first[0] = 0;
  for (std::int64_t r = 1; r < rows; ++r)
    first[r] = static_cast<int>(entries * r / rows + random.below(entries / rows / 2 + 1));
  first[rows] = static_cast<int>(entries);
  for (std::int64_t k = 0; k < entries; ++k) columns[k] = static_cast<int>(random.below(cols));
  for (std::int64_t r = 0; r < rows; ++r) std::sort(columns + first[r], columns + first[r + 1]);
}

extern "C" void oracle(const OracleCall* call) {
  const Matrix a(call);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t r = 0; r < y.count; ++r) {
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
  for (std::int64_t r = 0; r < call->sizes[0]; ++r) {
    float sum = 0;
    for (int k = a.first[r]; k < a.first[r + 1]; ++k) sum += a.values[k] * a.x[a.columns[k]];
    y[r] = sum;
  }
}
