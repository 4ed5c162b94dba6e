// lab3 variant5, sum of squares of each row: what is right,
// what it costs on one CPU thread, and what is often wrong.
#include "reductions.h"

namespace {

using reductions::Answer;
using Row = reductions::Line<float>;

Answer sum_of_squares(Row row) { return reductions::sum_of_squares(row); }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, sum_of_squares); }

extern "C" void baseline(const OracleCall* call) {
  reductions::row_baseline(call, [](const float* row, std::int64_t cols) {
    float total = 0;
    for (std::int64_t c = 0; c < cols; ++c) total += row[c] * row[c];
    return total;
  });
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  using reductions::each_row;
  switch (which) {
    case 0:
      each_row<float>(call, [](Row row) { return reductions::sum(row); });
      return "the sum of each row: its elements are not squared";
    case 1:
      each_row<float>(call, [](Row row) {
        const Answer sum = reductions::sum(row);
        // Each of the two factors carries the error of the sum.
        return Answer{sum.value * sum.value, 2 * sum.magnitude * std::fabs(static_cast<double>(sum.value)),
                      sum.roundings + 1};
      });
      return "the square of the sum instead of the sum of the squares: square each element, not the result";
    case 2:
      each_row<float>(call, [](Row row) {
        const Answer squares = sum_of_squares(row);
        const long double root = std::sqrt(squares.value);
        return Answer{root, static_cast<double>(root), squares.roundings + 1};
      });
      return "the root of the sum of squares: no root is asked for";
    case 3:
      each_row<float>(call, [](Row row) {
        const Answer squares = sum_of_squares(row);
        const auto count = static_cast<double>(row.count);
        return Answer{squares.value / row.count, squares.magnitude / count, squares.roundings + 1};
      });
      return "the mean of the squares instead of their sum";
    case 4:
      each_row<float>(call, reductions::absolute_sum<float>);
      return "the sum of the absolute values instead of the sum of the squares";
    case 5:
      each_row<float>(call, [](Row row) {
        return reductions::sum_of(row, [](long double x) { return (x * x) * (x * x); });
      });
      return "the sum of the fourth powers: each element is squared twice";
    default: return reductions::row_mistake<float>(call, which - 6, "sum of squares", sum_of_squares);
  }
}
