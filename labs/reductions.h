#pragma once
// What the oracles of reductions (sums, means, maxima ... of rows, columns and vectors) share: lines of
// elements, sums with the bound of their rounding errors, and the mistakes that every loop over a line
// invites.

#include <cmath>
#include <cstdint>
#include <functional>

#include "oracle.h"

namespace reductions {

/// Elements that lie `stride` apart: a row, a column or a vector.
template <class T>
struct Line {
  const T* begin;
  std::int64_t count;
  std::int64_t stride = 1;

  T operator[](std::int64_t i) const { return begin[i * stride]; }
  [[nodiscard]] Line first(std::int64_t n) const { return {begin, n < count ? n : count, stride}; }
  [[nodiscard]] Line without_first() const {
    return count > 0 ? Line{begin + stride, count - 1, stride} : *this;
  }
};

/// One element of the right answer. `long double` holds every double and every 64-bit integer exactly.
struct Answer {
  long double value = 0;
  double magnitude = 0, roundings = 0;  ///< see OracleExpected; 0 where the tolerance does not need them
};

/// Terms added up in long double, with what the bound of a rounded sum of them needs.
class Sum {
 public:
  void add(long double term) {
    value_ += term;
    magnitude_ += std::fabs(term);
    ++terms_;
  }
  /// The sum divided by `divisor`, which costs one rounding more unless it is 1.
  [[nodiscard]] Answer answer(long double divisor = 1) const {
    return {value_ / divisor, static_cast<double>(magnitude_ / divisor), terms_ + (divisor != 1 ? 1 : 0)};
  }

 private:
  long double value_ = 0, magnitude_ = 0;
  double terms_ = 0;
};

/// The sum of `term` of a line's elements, divided by `divisor`.
template <class T, class Term>
Answer sum_of(const Line<T>& line, Term term, long double divisor = 1) {
  Sum total;
  for (std::int64_t i = 0; i < line.count; ++i) total.add(term(static_cast<long double>(line[i])));
  return total.answer(divisor);
}

template <class T>
Answer sum(const Line<T>& line, long double divisor = 1) {
  return sum_of(
      line, [](long double x) { return x; }, divisor);
}

template <class T>
Answer absolute_sum(const Line<T>& line) {
  return sum_of(line, [](long double x) { return std::fabs(x); });
}

template <class T>
Answer sum_of_squares(const Line<T>& line) {
  return sum_of(line, [](long double x) { return x * x; });
}

/// The element of a line that is `better` than all others; 0 for an empty line, which only a wrong kernel
/// sees.
template <class T, class Better>
T best(const Line<T>& line, Better better) {
  if (line.count == 0) return 0;
  T found = line[0];
  for (std::int64_t i = 1; i < line.count; ++i) found = better(line[i], found) ? line[i] : found;
  return found;
}

/// Writes element `i` of the first output.
inline void store(const OracleCall* call, std::int64_t i, const Answer& answer) {
  const OracleExpected& expected = call->expected[0];
  if (expected.integers != nullptr) {
    expected.integers[i] = static_cast<std::int64_t>(answer.value);
    return;
  }
  expected.values[i] = static_cast<double>(answer.value);
  if (expected.magnitudes == nullptr) return;
  expected.magnitudes[i] = answer.magnitude;
  expected.roundings[i] = answer.roundings;
}

enum class Along { Rows, Columns };

/// The rows, or the columns, of a matrix `a` (input 0; sizes `rows` and `cols`; row by row): one answer each.
template <class T>
struct Lines {
  const T* a;
  Along along;
  std::int64_t rows, cols;

  Lines(const OracleCall* call, Along direction)
      : a(static_cast<const T*>(call->inputs[0])),
        along(direction),
        rows(call->sizes[0]),
        cols(call->sizes[1]) {}

  [[nodiscard]] std::int64_t count() const { return along == Along::Rows ? rows : cols; }
  [[nodiscard]] Line<T> operator[](std::int64_t i) const {
    return along == Along::Rows ? Line<T>{a + i * cols, cols} : Line<T>{a + i, rows, cols};
  }
  /// Line i where the element in row r and column c is taken to be a[c * rows + r].
  [[nodiscard]] Line<T> swapped(std::int64_t i) const {
    return along == Along::Rows ? Line<T>{a + i, cols, rows} : Line<T>{a + i * rows, rows};
  }
};

/// Answers with `fold` of each row (column).
template <class T, class Fold>
void each_line(const OracleCall* call, Along along, Fold fold) {
  const Lines<T> lines(call, along);
  for (std::int64_t i = 0; i < lines.count(); ++i) store(call, i, fold(lines[i]));
}

template <class T, class Fold>
void each_row(const OracleCall* call, Fold fold) {
  each_line<T>(call, Along::Rows, fold);
}

/// The course's CPU program for rows of floats: `fold` makes the result of a row and
/// the number of its elements.
template <class Fold>
void row_baseline(const OracleCall* call, Fold fold) {
  const Lines<float> lines(call, Along::Rows);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < lines.rows; ++r) out[r] = fold(lines[r].begin, lines.cols);
}

/// The mistakes that every reduction of rows (columns) invites, numbered from 0, for a usual_mistake().
/// `name` is what is made of each line ("maximum"), `fold` makes it of a Line, also of an empty one.
template <class T, class Fold>
const char* line_mistake(const OracleCall* call, int which, Along along, const char* name, Fold fold) {
  const Lines<T> lines(call, along);
  const bool by_rows = along == Along::Rows;
  const char *line = by_rows ? "row" : "column", *inner = by_rows ? "columns" : "rows",
             *other = by_rows ? "down the columns" : "along the rows";
  const auto each = [&](auto pick) {
    for (std::int64_t i = 0; i < lines.count(); ++i) store(call, i, fold(pick(i)));
  };
  switch (which) {
    case 0:
      if (lines[0].count < 2) return "";
      each([&](std::int64_t i) { return lines[i].first(lines[i].count - 1); });
      return text_of(call,
                     "the {} of each {} without its last element: the loop over the {} ends one too early",
                     name, line, inner);
    case 1:
      if (lines[0].count < 2) return "";
      each([&](std::int64_t i) { return lines[i].without_first(); });
      return text_of(call,
                     "the {} of each {} without its first element: the loop over the {} begins one too late",
                     name, line, inner);
    case 2:
      if (lines[0].count < 32) return "";
      each([&](std::int64_t i) { return lines[i].first(lines[i].count / 32 * 32); });
      return text_of(call,
                     "the {} over whole tiles of 32 {} only: the last tile, which is not full, is left out",
                     name, inner);
    case 3:
      each([&](std::int64_t i) { return lines[i].first(32); });
      return text_of(call, "the {} of the first 32 {} only: there is no loop over the tiles", name, inner);
    case 4:
      each([&](std::int64_t i) { return lines.swapped(i); });
      return text_of(call, "the {} {}: the indices of row and column are swapped", name, other);
    case 5:
      each([&](std::int64_t) { return lines[0]; });
      return text_of(call, "the {} of {} 0 in every {}: the {} does not appear in the index", name, line,
                     line, line);
    case 6:
      if (lines[0].count < 4) return "";
      each([&](std::int64_t i) { return lines[i].first(lines[i].count / 4 * 4); });
      return text_of(
          call, "the {} of each {} over whole groups of four {} only: the {} that fill no group are left out",
          name, line, inner, inner);
    default: return nullptr;
  }
}

template <class T, class Fold>
const char* row_mistake(const OracleCall* call, int which, const char* name, Fold fold) {
  return line_mistake<T>(call, which, Along::Rows, name, fold);
}

/// The mistakes that every reduction of one vector invites, numbered from 0; as line_mistake(). `fold` makes
/// the answer of the Line that a wrong kernel sees.
template <class T, class Fold>
const char* vector_mistake(const OracleCall* call, int which, Line<T> all, const char* name, Fold fold) {
  const auto only = [&](Line<T> part) { store(call, 0, fold(part)); };
  switch (which) {
    case 0:
      if (all.count < 2) return "";
      only(all.first(all.count - 1));
      return text_of(call, "the {} without the last element: a loop or a guard ends one too early", name);
    case 1:
      if (all.count < 2) return "";
      only(all.without_first());
      return text_of(call, "the {} without element 0", name);
    case 2: only(all.first(1)); return "element 0 alone: the others are never added to it";
    case 3: only(all.first(32)); return text_of(call, "the {} of the first warp (32 elements) only", name);
    default: break;
  }
  // Block sizes that people choose, and the two ways to lose elements with each.
  constexpr std::int64_t blocks[] = {128, 256, 512, 1024};
  const int kind = (which - 4) / 4;
  const std::int64_t block = blocks[(which - 4) % 4];
  switch (kind) {
    case 0:
      only(all.first(block));
      return text_of(call, "the {} of the first {} elements only: the other blocks' results are lost", name,
                     block);
    case 1:
      if (all.count < block) return "";
      only(all.first(all.count / block * block));
      return text_of(
          call,
          "the {} over whole blocks of {} elements only: the grid's size is not rounded up, or the "
          "last block's result is lost",
          name, block);
    case 2: {
      const std::int64_t last = (all.count - 1) / block * block;
      only(Line<T>{all.begin + last * all.stride, all.count - last, all.stride});
      return text_of(
          call,
          "the {} of the last block of {} elements: each block overwrites the result instead of adding to it",
          name, block);
    }
    default: return nullptr;
  }
}

}  // namespace reductions
