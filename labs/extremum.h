#pragma once
// What the oracles of the maximum and of the minimum of each row share. `Better` says which of two elements
// is kept: std::greater<> or std::less<>.

#include <functional>
#include <limits>

#include "reductions.h"

namespace extremum {

using reductions::Answer;
using Row = reductions::Line<float>;

template <class Better>
Answer best(Row row) {
  return {reductions::best(row, Better())};
}

template <class Better>
void baseline(const OracleCall* call) {
  reductions::row_baseline(call, [](const float* row, std::int64_t count) {
    float found = row[0];
    for (std::int64_t c = 1; c < count; ++c) {
      if (Better()(row[c], found)) found = row[c];
    }
    return found;
  });
}

/// Of a loop that begins with `start`: over all of the row, or over what is left where its first element
/// should have been the start.
template <class Better>
Answer best_from(long double start, Row rest) {
  for (std::int64_t c = 0; c < rest.count; ++c)
    if (Better()(static_cast<long double>(rest[c]), start)) start = rest[c];
  return {start};
}

/// How the mistakes are called, each to follow "this is ".
struct Words {
  const char* name;                            ///< "maximum"
  const char *starts_at_zero, *other_extreme;  ///< of the one that begins with 0, and of the opposite
  const char* absolute;                        ///< of the one among the absolute values
  const char* starts_at_flt_min;
};

/// Numbered from 0, for a usual_mistake().
template <class Better>
const char* mistake(const OracleCall* call, int which, const Words& words) {
  using reductions::each_row;
  switch (which) {
    case 0:
    case 6:
      each_row<float>(
          call, [which](Row row) { return best_from<Better>(0, which == 0 ? row : row.without_first()); });
      return words.starts_at_zero;
    case 1:
      each_row<float>(call, [](Row row) {
        return Answer{reductions::best(row, [](float x, float y) { return Better()(y, x); })};
      });
      return words.other_extreme;
    case 2:
      each_row<float>(call, [](Row row) {
        Answer found{std::fabs(row[0])};
        for (std::int64_t c = 1; c < row.count; ++c) {
          const long double size = std::fabs(row[c]);
          if (Better()(size, found.value)) found.value = size;
        }
        return found;
      });
      return words.absolute;
    case 3:
    case 7: {
      // FLT_MIN is the smallest positive number, not the least one: a start for neither.
      constexpr long double start = std::numeric_limits<float>::min();
      each_row<float>(
          call, [=](Row row) { return best_from<Better>(start, which == 3 ? row : row.without_first()); });
      return words.starts_at_flt_min;
    }
    case 4:
    case 5: {
      const reductions::Lines<float> lines(call, reductions::Along::Rows);
      for (std::int64_t r = 0; r < lines.rows; ++r)
        reductions::store(call, r,
                          best_from<Better>(lines.a[r], which == 4 ? lines[r] : lines[r].without_first()));
      return text_of(call, "a {} that starts at a[r], an element of another row: row r begins at a[r * cols]",
                     words.name);
    }
    default: return reductions::row_mistake<float>(call, which - 8, words.name, best<Better>);
  }
}

}  // namespace extremum
