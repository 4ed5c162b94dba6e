// lab3 variant3, mean of each row: what is right, what it costs on one CPU thread, and what is often wrong.
#include "reductions.h"

namespace {

using reductions::Answer;
using Row = reductions::Line<float>;

/// The sum of `row` divided by `count`.
Answer divided(Row row, std::int64_t count) { return reductions::sum(row, count); }

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  reductions::each_row<float>(call, [](Row row) { return divided(row, row.count); });
}

extern "C" void baseline(const OracleCall* call) {
  reductions::row_baseline(call, [](const float* row, std::int64_t cols) {
    float total = 0;
    for (std::int64_t c = 0; c < cols; ++c) total += row[c];
    return total / static_cast<float>(cols);
  });
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  using reductions::each_row;
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  switch (which) {
    case 0:
      each_row<float>(call, [](Row row) { return divided(row, 1); });
      return "the sum of each row: it is not divided by the number of columns";
    case 1:
      each_row<float>(call, [rows](Row row) { return divided(row, rows); });
      return "the sum of each row divided by the number of rows instead of the number of columns";
    case 2:
      each_row<float>(call, [](Row row) { return divided(row, (row.count + 31) / 32 * 32); });
      return "the sum of each row divided by the number of columns rounded up to whole tiles of 32";
    case 3:
      each_row<float>(call, [](Row row) { return divided(row, 32); });
      return "the sum of each row divided by 32, the width of a tile, instead of the number of columns";
    case 4:
      // With one column that is a division by 0, of which nobody would have to be told.
      each_row<float>(call,
                      [](Row row) { return row.count > 1 ? divided(row, row.count - 1) : Answer{NAN}; });
      return "the sum of each row divided by the number of columns less one";
    case 5:
      each_row<float>(call, [](Row row) {
        const Answer mean = divided(row, row.count);
        return Answer{mean.value / row.count, mean.magnitude / static_cast<double>(row.count),
                      mean.roundings + 1};
      });
      return "the mean divided by the number of columns once more: each part of a row is divided, and so is "
             "their sum";
    default:
      // Wherever elements are missed, the division is by the number of columns.
      return reductions::row_mistake<float>(call, which - 6, "mean",
                                            [cols](Row row) { return divided(row, cols); });
  }
}
