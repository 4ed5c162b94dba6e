// lab3 variant4, maximum of each row: what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "oracle.h"

#include <algorithm>
#include <cstddef>

namespace {

struct Problem {
  const float* a;
  std::int64_t rows, cols;

  explicit Problem(const OracleCall* call)
      : a(static_cast<const float*>(call->inputs[0])), rows(call->sizes[0]), cols(call->sizes[1]) {}

  [[nodiscard]] const float* row(std::int64_t r) const { return a + r * cols; }
};

/// Writes `pick(row)` for every row.
template <class Pick>
void each_row(const OracleCall* call, Pick pick) {
  const Problem problem(call);
  for (std::int64_t r = 0; r < problem.rows; ++r)
    call->expected[0].values[r] = pick(problem.row(r), problem.cols);
}

double maximum(const float* begin, std::int64_t count) { return *std::max_element(begin, begin + count); }

/// The maximum over `count` elements that a wrong kernel sees, which may be none.
double maximum_or_zero(const float* begin, std::int64_t count) {
  return count > 0 ? maximum(begin, count) : 0.0;
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { each_row(call, maximum); }

extern "C" void baseline(const OracleCall* call) {
  const Problem problem(call);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < problem.rows; ++r) {
    const float* row = problem.row(r);
    float best = row[0];
    for (std::int64_t c = 1; c < problem.cols; ++c) {
      if (row[c] > best) best = row[c];
    }
    out[r] = best;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem problem(call);
  switch (which) {
    case 0:
      each_row(call, [](const float* row, std::int64_t n) { return std::max(0.0, maximum(row, n)); });
      return "a maximum that starts at 0, which is too large where every element of the row is negative: "
             "start at the "
             "row's first element or at -infinity";
    case 1:
      each_row(call, [](const float* row, std::int64_t n) { return *std::min_element(row, row + n); });
      return "the minimum of each row instead of its maximum";
    case 2:
      each_row(call, [](const float* row, std::int64_t n) { return maximum_or_zero(row, n - 1); });
      return "the maximum of each row without its last element: the loop over the columns ends one too early";
    case 3:
      each_row(call, [](const float* row, std::int64_t n) { return maximum(row + (n > 1), n - (n > 1)); });
      return "the maximum of each row without its first element: the loop over the columns begins one too "
             "late";
    case 4:
      each_row(call, [](const float* row, std::int64_t n) { return maximum_or_zero(row, n / 32 * 32); });
      return "the maximum over whole tiles of 32 columns only: the last tile, which is not full, is left out";
    case 5:
      each_row(call,
               [](const float* row, std::int64_t n) { return maximum(row, std::min<std::int64_t>(n, 32)); });
      return "the maximum of the first 32 columns only: there is no loop over the tiles";
    case 6:
      each_row(call, [](const float* row, std::int64_t n) {
        return std::max(maximum(row, n), -static_cast<double>(*std::min_element(row, row + n)));
      });
      return "the largest absolute value of each row instead of its maximum";
    case 7:
      // The element in column c of row r read as a[c * rows + r]: right for no shape but a single row or
      // column.
      for (std::int64_t r = 0; r < problem.rows; ++r) {
        float best = problem.a[r];
        for (std::int64_t c = 1; c < problem.cols; ++c)
          best = std::max(best, problem.a[c * problem.rows + r]);
        call->expected[0].values[r] = best;
      }
      return "the maximum down the columns: the indices of row and column are swapped";
    default: return nullptr;
  }
}
