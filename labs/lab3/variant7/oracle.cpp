// lab3 variant7, mean of each column: what is right, what
// it costs on one CPU thread, and what is often wrong.
#include <algorithm>

#include "reductions.h"

namespace {

using reductions::Along;
using reductions::Answer;
using Column = reductions::Line<float>;

/// The sum of `column` divided by `count`.
Answer divided(Column column, std::int64_t count) { return reductions::sum(column, count); }

template <class Fold>
void each_column(const OracleCall* call, Fold fold) {
  reductions::each_line<float>(call, Along::Columns, fold);
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  each_column(call, [](Column column) { return divided(column, column.count); });
}

extern "C" void baseline(const OracleCall* call) {
  const reductions::Lines<float> columns(call, Along::Columns);
  auto* out = static_cast<float*>(call->results[0]);
  std::fill(out, out + columns.cols, 0.0f);
  // Row by row, as the elements lie in memory.
  for (std::int64_t r = 0; r < columns.rows; ++r) {
    const float* row = columns.a + r * columns.cols;
    for (std::int64_t c = 0; c < columns.cols; ++c) out[c] += row[c];
  }
  for (std::int64_t c = 0; c < columns.cols; ++c) out[c] /= static_cast<float>(columns.rows);
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  switch (which) {
    case 0:
      each_column(call, [](Column column) { return divided(column, 1); });
      return "the sum of each column: it is not divided by the number of rows";
    case 1:
      each_column(call, [cols](Column column) { return divided(column, cols); });
      return "the sum of each column divided by the number of columns instead of the number of rows";
    case 2:
      each_column(call, [](Column column) { return divided(column, (column.count + 31) / 32 * 32); });
      return "the sum of each column divided by the number of rows rounded up to a multiple of 32";
    case 3:
      each_column(call, [](Column column) { return divided(column, 32); });
      return "the sum of each column divided by 32 instead of the number of rows";
    case 4:
      // With one row that is a division by 0, of which nobody would have to be told.
      each_column(call, [](Column column) {
        return column.count > 1 ? divided(column, column.count - 1) : Answer{NAN};
      });
      return "the sum of each column divided by the number of rows less one";
    case 5:
      // What one of 32 rows of threads sees.
      each_column(call, [rows](Column column) {
        return divided({column.begin, (rows + 31) / 32, 32 * column.stride}, rows);
      });
      return "the sum of every 32nd row only, divided by the number of rows: the partial sums of the other "
             "rows of threads are not added";
    default:
      // Wherever elements are missed, the division is by the number of rows.
      return reductions::line_mistake<float>(call, which - 6, Along::Columns, "mean",
                                             [rows](Column column) { return divided(column, rows); });
  }
}
