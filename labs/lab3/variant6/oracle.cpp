// lab3 variant6, minimum of each row: what is right, what
// it costs on one CPU thread, and what is often wrong.
#include <algorithm>

#include "reductions.h"

namespace {

using reductions::Answer;
using Row = reductions::Line<float>;

Answer minimum(Row row) { return {reductions::best(row, std::less<>())}; }
Answer maximum(Row row) { return {reductions::best(row, std::greater<>())}; }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, minimum); }

extern "C" void baseline(const OracleCall* call) {
  const reductions::Lines<float> lines(call, reductions::Along::Rows);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < lines.rows; ++r) {
    const float* row = lines[r].begin;
    float best = row[0];
    for (std::int64_t c = 1; c < lines.cols; ++c) {
      if (row[c] < best) best = row[c];
    }
    out[r] = best;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  using reductions::each_row;
  switch (which) {
    case 0:
      each_row<float>(call, [](Row row) { return Answer{std::min(0.0L, minimum(row).value)}; });
      return "a minimum that starts at 0, which is too small where every element of the row is positive: "
             "start at the row's first element or at +infinity";
    case 1: each_row<float>(call, maximum); return "the maximum of each row instead of its minimum";
    case 2:
      each_row<float>(call, [](Row row) {
        Answer smallest{std::fabs(row[0])};
        for (std::int64_t c = 1; c < row.count; ++c)
          smallest.value = std::min(smallest.value, static_cast<long double>(std::fabs(row[c])));
        return smallest;
      });
      return "the smallest absolute value of each row instead of its minimum";
    default: return reductions::row_mistake<float>(call, which - 3, "minimum", minimum);
  }
}
