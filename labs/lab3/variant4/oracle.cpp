// lab3 variant4, maximum of each row: what is right, what
// it costs on one CPU thread, and what is often wrong.
#include <algorithm>

#include "reductions.h"

namespace {

using reductions::Answer;
using Row = reductions::Line<float>;

Answer maximum(Row row) { return {reductions::best(row, std::greater<>())}; }
Answer minimum(Row row) { return {reductions::best(row, std::less<>())}; }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, maximum); }

extern "C" void baseline(const OracleCall* call) {
  const reductions::Lines<float> lines(call, reductions::Along::Rows);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < lines.rows; ++r) {
    const float* row = lines[r].begin;
    float best = row[0];
    for (std::int64_t c = 1; c < lines.cols; ++c) {
      if (row[c] > best) best = row[c];
    }
    out[r] = best;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  using reductions::each_row;
  switch (which) {
    case 0:
      each_row<float>(call, [](Row row) { return Answer{std::max(0.0L, maximum(row).value)}; });
      return "a maximum that starts at 0, which is too large where every element of the row is negative: "
             "start at the row's first element or at -infinity";
    case 1: each_row<float>(call, minimum); return "the minimum of each row instead of its maximum";
    case 2:
      each_row<float>(call,
                      [](Row row) { return Answer{std::max(maximum(row).value, -minimum(row).value)}; });
      return "the largest absolute value of each row instead of its maximum";
    default: return reductions::row_mistake<float>(call, which - 3, "maximum", maximum);
  }
}
