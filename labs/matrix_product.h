#pragma once
// What the oracles of matrix products share: the product of two factors however they lie in memory, with the
// bound of its rounding errors, and the mistakes that every such kernel invites.

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "oracle.h"

namespace matrix_product {

/// A matrix in memory: the element in row r and column c is at[r * row_step + c * column_step]. The places
/// that a wrong kernel would read may not exist: `size` elements do.
template <class T>
struct Factor {
  const T* at;
  std::int64_t row_step, column_step, size;

  /// Is there an element in each of rows x columns places?
  [[nodiscard]] bool holds(std::int64_t rows, std::int64_t columns) const {
    return rows == 0 || columns == 0 || (rows - 1) * row_step + (columns - 1) * column_step < size;
  }
};

template <class T>
Factor<T> by_rows(const T* at, std::int64_t rows, std::int64_t columns) {
  return {at, columns, 1, rows * columns};
}
template <class T>
Factor<T> transposed(const Factor<T>& f) {
  return {f.at, f.column_step, f.row_step, f.size};
}

/// Leaves in `values` the sums over k of row[k * step] * strip[k][j], and in `sizes` those of the products'
/// sizes. Nothing is contracted or reordered: the result is the same whatever vectors are used.
template <std::size_t Columns, class Wide, class T>
void add_row(const T* row, std::int64_t step, const Wide* strip, std::size_t terms, Wide* values,
             Wide* sizes) {
  Wide sums[Columns] = {}, magnitudes[Columns] = {};
  for (std::size_t k = 0; k < terms; ++k) {
    const Wide factor = row[static_cast<std::int64_t>(k) * step];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < Columns; ++j) {
      const Wide product = factor * strip[k * Columns + j];
      sums[j] += product;
      magnitudes[j] += std::fabs(product);
    }
  }
  for (std::size_t j = 0; j < Columns; ++j) values[j] = sums[j], sizes[j] = magnitudes[j];
}

#if defined(__x86_64__)
/// The same with the widest vectors there are, whose latency more columns hide.
template <std::size_t Columns, class T>
[[gnu::target("avx512f")]] void add_row_widely(const T* row, std::int64_t step, const double* strip,
                                               std::size_t terms, double* values, double* sizes) {
  using Vector [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(double), vectors = Columns / lanes;
  const Bits magnitude_bits = Bits{} + INT64_MAX;
  Vector sums[vectors] = {}, magnitudes[vectors] = {};
  for (std::size_t k = 0; k < terms; ++k) {
    const Vector factor = Vector{} + static_cast<double>(row[static_cast<std::int64_t>(k) * step]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v) {
      Vector right;
      std::memcpy(&right, strip + k * Columns + v * lanes, sizeof right);
      const Vector product = factor * right;
      sums[v] += product;
      magnitudes[v] += reinterpret_cast<Vector>(reinterpret_cast<Bits>(product) & magnitude_bits);
    }
  }
  std::memcpy(values, sums, sizeof sums);
  std::memcpy(sizes, magnitudes, sizeof magnitudes);
}
#endif

/// The largest size of numbers, and the greatest power of two of which all are multiples.
struct Grid {
  int top = INT_MIN;  ///< all are smaller than 2^top
  int step = INT_MAX;

  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
    const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
    if (exponent == 0 && fraction == 0) return;
    if (exponent == 0 || exponent == 0x7FF) {  // not worth a thought
      step = INT_MIN / 4, top = INT_MAX / 4;
      return;
    }
    const int trailing = fraction == 0 ? 52 : std::countr_zero(fraction);
    step = std::min(step, exponent - 1075 + trailing);
    top = std::max(top, exponent - 1022);
  }
  template <class T>
  void add(const Factor<T>& f, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t r = 0; r < rows && digits() <= 53; ++r) {
      for (std::int64_t c = 0; c < columns; ++c)
        add(static_cast<double>(f.at[r * f.row_step + c * f.column_step]));
    }
  }
  [[nodiscard]] bool empty() const { return top == INT_MIN; }
  [[nodiscard]] int digits() const { return empty() ? 0 : top - step; }
};

/// True if doubles have added up terms on these grids exactly, when the sums of their sizes came out as
/// `magnitudes`. Where one was rounded, its sum of sizes, which never falls, reached 2^53 steps.
inline bool added_exactly(const Grid& a, const Grid& b, const double* magnitudes, std::int64_t count) {
  if (a.empty() || b.empty()) return true;
  const double limit = std::ldexp(1.0, 53 + a.step + b.step);
  return std::all_of(magnitudes, magnitudes + count, [limit](double m) { return m < limit; });
}

/// The sum over k in [first, last) of a[i][k] * b[k][j], for rows x columns elements i, j of the first
/// output. Added up in `Wide`, whose roundings must not count or be among `more_roundings`; in double where
/// that makes no difference. One rounding is allowed for each term, and `more_roundings`.
template <class Wide, class T>
void multiply(const OracleCall* call, const Factor<T>& a, const Factor<T>& b, std::int64_t rows,
              std::int64_t columns, std::int64_t first, std::int64_t last, double more_roundings) {
  const auto terms = static_cast<std::size_t>(last > first ? last - first : 0);
  if constexpr (!std::is_same_v<Wide, double>) {
    Grid left, right;
    left.add(Factor<T>{a.at + first * a.column_step, a.row_step, a.column_step, a.size}, rows,
             static_cast<std::int64_t>(terms));
    right.add(Factor<T>{b.at + first * b.row_step, b.row_step, b.column_step, b.size},
              static_cast<std::int64_t>(terms), columns);
    if (left.digits() <= 53 && right.digits() <= 53) {
      multiply<double>(call, a, b, rows, columns, first, last, more_roundings);
      if (added_exactly(left, right, call->expected[0].magnitudes, rows * columns)) return;
    }
  }
  const OracleExpected& expected = call->expected[0];
  const auto width = static_cast<std::size_t>(columns);
  // A few columns of b stay in the cache for all rows of a, converted once. Every sum is still
  // added up in the order of k.
  const auto in_strips = [&]<std::size_t Columns>(std::integral_constant<std::size_t, Columns>, auto add) {
    std::vector<Wide> strip(terms * Columns);
    for (std::size_t begin = 0; begin < width; begin += Columns) {
      const std::size_t count = width - begin < Columns ? width - begin : Columns;
      for (std::size_t k = 0; k < terms; ++k) {
        const T* right = b.at + (first + static_cast<std::int64_t>(k)) * b.row_step;
        for (std::size_t j = 0; j < count; ++j)
          strip[k * Columns + j] =
              static_cast<Wide>(right[static_cast<std::int64_t>(begin + j) * b.column_step]);
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        Wide values[Columns] = {}, magnitudes[Columns] = {};
        add(a.at + i * a.row_step + first * a.column_step, a.column_step, strip.data(), terms, values,
            magnitudes);
        for (std::size_t j = 0; j < count; ++j) {
          const std::size_t place = static_cast<std::size_t>(i) * width + begin + j;
          expected.values[place] = static_cast<double>(values[j]);
          expected.magnitudes[place] = static_cast<double>(magnitudes[j]);
          expected.roundings[place] = static_cast<double>(last - first) + more_roundings;
        }
      }
    }
  };
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Wide, double>) {
    constexpr std::size_t wide_columns = 32;
    if (__builtin_cpu_supports("avx512f"))
      return in_strips(std::integral_constant<std::size_t, wide_columns>(), add_row_widely<wide_columns, T>);
  }
#endif
  // So many sums stay in the registers, of which those of long double are eight.
  constexpr std::size_t narrow_columns = std::is_same_v<Wide, double> ? 8 : 2;
  in_strips(std::integral_constant<std::size_t, narrow_columns>(), add_row<narrow_columns, Wide, T>);
}

/// One product of two matrices: what a kernel reads as a, b and how much of them.
template <class T>
struct Product {
  Factor<T> a, b;
  std::int64_t rows, columns, terms;
};

/// So many of the mistakes below do not exchange the rows and columns of a whole factor.
constexpr int common_mistakes = 14;

/// `f` as one sees it who stages its tiles in shared memory and swaps their indices there: each tile is
/// transposed where it lies. Empty: the tiles do not fill it.
template <class T>
std::vector<T> swapped_in_tiles(const Factor<T>& f, std::int64_t rows, std::int64_t columns,
                                std::int64_t tile) {
  std::vector<T> swapped;
  if (rows % tile != 0 || columns % tile != 0) return swapped;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c)
      swapped.push_back(
          f.at[(r / tile * tile + c % tile) * f.row_step + (c / tile * tile + r % tile) * f.column_step]);
  }
  return swapped;
}

/// The mistakes that every product of matrices invites, numbered from 0, for a usual_mistake().
template <class Wide, class T>
const char* mistake(const OracleCall* call, int which, const Product<T>& p, double more_roundings) {
  const auto terms = [&](std::int64_t first, std::int64_t last) {
    multiply<Wide>(call, p.a, p.b, p.rows, p.columns, first, last, more_roundings);
  };
  const auto factors = [&](const Factor<T>& a, const Factor<T>& b, const char* name) {
    if (!a.holds(p.rows, p.terms) || !b.holds(p.terms, p.columns)) return "";
    multiply<Wide>(call, a, b, p.rows, p.columns, 0, p.terms, more_roundings);
    return name;
  };
  constexpr std::int64_t tiles[] = {16, 32};
  static thread_local std::string words;
  switch (which) {
    case 0:
      terms(0, p.terms - 1);
      return "the product without its last term: the loop over k ends one too early";
    case 1:
      terms(p.terms > 0 ? 1 : 0, p.terms);
      return "the product without its first term: the loop over k begins one too late";
    case 2:
    case 3: {
      const std::int64_t tile = tiles[which - 2];
      terms(0, p.terms / tile * tile);
      words = "the product over whole tiles of " + std::to_string(tile) +
              " only: the last tile along k, which is not full, is left out";
      return words.c_str();
    }
    case 4:
    case 5: {
      const std::int64_t tile = tiles[which - 4];
      terms(0, p.terms < tile ? p.terms : tile);
      words = "the product over the first tile of " + std::to_string(tile) +
              " only: there is no loop over the tiles";
      return words.c_str();
    }
    case 6:
    case 7: {
      const std::int64_t tile = tiles[which - 6];
      terms((p.terms - 1) / tile * tile, p.terms);
      words = "the product over the last tile of " + std::to_string(tile) +
              " only: the sum must go on from tile to tile, not start anew";
      return words.c_str();
    }
    case 8:
    case 9: {
      const std::vector<T> a = swapped_in_tiles(p.a, p.rows, p.terms, tiles[which - 8]);
      if (a.empty()) return "";
      return factors(
          by_rows(a.data(), p.rows, p.terms), p.b,
          "the product with each tile of the first factor transposed: its indices in shared memory are "
          "swapped where it is "
          "stored or where it is read");
    }
    case 10:
    case 11: {
      const std::vector<T> b = swapped_in_tiles(p.b, p.terms, p.columns, tiles[which - 10]);
      if (b.empty()) return "";
      return factors(
          p.a, by_rows(b.data(), p.terms, p.columns),
          "the product with each tile of the second factor transposed: its indices in shared memory are "
          "swapped where it is "
          "stored or where it is read");
    }
    case 12:
    case 13: {
      const std::vector<T> a = swapped_in_tiles(p.a, p.rows, p.terms, tiles[which - 12]);
      const std::vector<T> b = swapped_in_tiles(p.b, p.terms, p.columns, tiles[which - 12]);
      if (a.empty() || b.empty()) return "";
      return factors(
          by_rows(a.data(), p.rows, p.terms), by_rows(b.data(), p.terms, p.columns),
          "the product with each tile of both factors transposed: their indices in shared memory are "
          "swapped where they are "
          "stored or where they are read");
    }
    case 14:
      return factors(transposed(p.a), p.b,
                     "the product with the first factor transposed: its row and column index are swapped");
    case 15:
      return factors(p.a, transposed(p.b),
                     "the product with the second factor transposed: its row and column index are swapped");
    case 16:
      return factors(transposed(p.a), transposed(p.b),
                     "the product with both factors transposed: their row and column index are swapped");
    default: return nullptr;
  }
}

}  // namespace matrix_product
