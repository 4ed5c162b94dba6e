// lab3 variant2, sum of each row: what is right, what it costs on one CPU thread, and what is often wrong.
#include "reductions.h"

namespace {

using reductions::Answer;
using reductions::Sum;
using Row = reductions::Line<float>;

Answer sum(Row row) { return reductions::sum(row); }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, sum); }

extern "C" void baseline(const OracleCall* call) {
  reductions::row_baseline(call, [](const float* row, std::int64_t cols) {
    float total = 0;
    for (std::int64_t c = 0; c < cols; ++c) total += row[c];
    return total;
  });
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  using reductions::each_row;
  switch (which) {
    case 0:
      each_row<float>(call, [](Row row) {
        Sum total;
        total.add(row[0]);
        for (std::int64_t c = 0; c < row.count; ++c) total.add(row[c]);
        return total.answer();
      });
      return "the sum with the first element of each row added twice: start at 0, or begin the loop at "
             "column 1";
    case 1:
      each_row<float>(call, [](Row row) {
        Answer answer = sum(row);
        answer.value /= row.count;
        answer.magnitude /= static_cast<double>(row.count);
        return answer;
      });
      return "the mean of each row instead of its sum";
    case 2:
      each_row<float>(call, reductions::absolute_sum<float>);
      return "the sum of the absolute values instead of the sum";
    case 3:
      each_row<float>(call, reductions::sum_of_squares<float>);
      return "the sum of the squares instead of the sum";
    case 4:
      each_row<float>(call, [](Row row) { return Answer{reductions::best(row, std::greater<>())}; });
      return "the maximum of each row instead of its sum";
    default: return reductions::row_mistake<float>(call, which - 5, "sum", sum);
  }
}
