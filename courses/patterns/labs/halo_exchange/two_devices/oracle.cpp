// halo_exchange two_devices: what is right, what it costs on one CPU thread, and what is often wrong.
#include "oracle.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace {

/// What is wrong with a submission.
struct Mistake {
  bool one_exchange = false;   ///< the halo rows are those of the beginning in every step
  bool no_halo = false;        ///< beyond the boundary stands 0
  bool in_place = false;       ///< a step reads what it has already written
  bool moves_borders = false;  ///< outside of the grid stands 0, and borders change
};

template <class Number>
std::vector<Number> simulate(const OracleCall* call, std::int64_t steps, const Mistake& mistake) {
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  const auto* from = static_cast<const float*>(call->inputs[0]);
  const std::vector<Number> first(from, from + rows * cols);
  std::vector<Number> now = first, next = first;
  const std::int64_t split = rows / 2;  // the first row of device 1
  const std::int64_t edge = mistake.moves_borders ? 0 : 1;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t r = edge; r < rows - edge; ++r)
      for (std::int64_t c = edge; c < cols - edge; ++c) {
        const auto at = [&](std::int64_t row, std::int64_t column) -> Number {
          if (row < 0 || column < 0 || row >= rows || column >= cols) return 0;
          const bool other = (row < split) != (r < split);
          if (other && mistake.no_halo) return 0;
          return (other && mistake.one_exchange ? first : mistake.in_place ? next : now)[row * cols + column];
        };
        next[r * cols + c] = (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)) / 4;
      }
    now = next;
  }
  return now;
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const auto values = simulate<double>(call, call->sizes[2], {});
  std::copy(values.begin(), values.end(), call->expected[0].values);
}

extern "C" void baseline(const OracleCall* call) {
  const auto values = simulate<float>(call, call->sizes[2], {});
  std::copy(values.begin(), values.end(), static_cast<float*>(call->results[0]));
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "a result with the halo rows of the beginning in every step: exchange them after each step",
      "a result with zeros for the rows of the other device: exchange them before the first step, too",
      "steps that read what they have already written: read one array, write another",
      "steps that change the borders: the first and last row and column keep their values",
      "a result of one step less",
      "a result of one step more",
  };
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  const std::int64_t steps = call->sizes[2] + (which == 5 ? 1 : which == 4 ? -1 : 0);
  const auto values = simulate<double>(call, steps, {which == 0, which == 1, which == 2, which == 3});
  std::copy(values.begin(), values.end(), call->expected[0].values);
  return kWords[which];
}
