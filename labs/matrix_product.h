#pragma once
// What the oracles of matrix products share: the product of two factors however they lie in memory, with the
// bound of its rounding errors, and the mistakes that every such kernel invites.

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "oracle.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/// Some rows of the left factor, `rows.row_step` apart, times a strip of the right one.
template <class T, class Wide>
struct Work {
  Factor<T> rows;
  const Wide* strip;  ///< strip[k][j], as many columns as the function has
  std::size_t terms;
};

/// Leaves in `values` the sums over k of row[k] * strip[k][j], for the first row, and in `sizes` those of the
/// products' sizes. Nothing is contracted or reordered: the result is the same whatever vectors are used.
template <std::size_t Columns, class Wide, class T>
void add_row(const Work<T, Wide>& work, Wide* values, Wide* sizes) {
  Wide sums[Columns] = {}, magnitudes[Columns] = {};
  for (std::size_t k = 0; k < work.terms; ++k) {
    const Wide factor = work.rows.at[static_cast<std::int64_t>(k) * work.rows.column_step];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < Columns; ++j) {
      const Wide product = factor * work.strip[k * Columns + j];
      sums[j] += product;
      magnitudes[j] += std::fabs(product);
    }
  }
  for (std::size_t j = 0; j < Columns; ++j) values[j] = sums[j], sizes[j] = magnitudes[j];
}

#if defined(__x86_64__)
/// The same for `Rows` rows, with the widest vectors there are, whose latency more sums hide. `Exact`: no product is
/// rounded, or it does not matter whether one is: then it need not be computed by itself. `Alike`: all products have one
/// sign, so that a sum is its own size, however it is rounded.
template <std::size_t Rows, std::size_t Columns, bool Exact, bool Alike, class T>
[[gnu::target("avx512f")]] void add_rows_widely(const Work<T, double>& work, double* values, double* sizes) {
  using Vector [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(double), vectors = Columns / lanes;
  const Bits magnitude_bits = Bits{} + INT64_MAX;
  const auto magnitude = [&](Vector v) __attribute__((always_inline, target("avx512f"))) {
    return reinterpret_cast<Vector>(reinterpret_cast<Bits>(v) & magnitude_bits);
  };
  Vector sums[Rows * vectors] = {}, magnitudes[Alike ? 1 : Rows * vectors] = {};
  for (std::size_t k = 0; k < work.terms; ++k) {
    const T* const first = work.rows.at + static_cast<std::int64_t>(k) * work.rows.column_step;
    Vector factors[Rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r)
      factors[r] = _mm512_set1_pd(first[static_cast<std::int64_t>(r) * work.rows.row_step]);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      Vector right;
      std::memcpy(&right, work.strip + k * Columns + v * lanes, sizeof right);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < Rows; ++r) {
        Vector& sum = sums[r * vectors + v];
        if constexpr (Exact) {
          sum = _mm512_fmadd_pd(factors[r], right, sum);
          if constexpr (!Alike) {
            Vector& all = magnitudes[r * vectors + v];
            all = _mm512_fmadd_pd(magnitude(factors[r]), magnitude(right), all);
          }
        } else {
          const Vector product = factors[r] * right;
          sum += product;
          if constexpr (!Alike) magnitudes[r * vectors + v] += magnitude(product);
        }
      }
    }
  }
  std::memcpy(values, sums, sizeof sums);
  if constexpr (Alike) {
    for (Vector& sum : sums) sum = magnitude(sum);
    std::memcpy(sizes, sums, sizeof sums);
  } else {
    std::memcpy(sizes, magnitudes, sizeof magnitudes);
  }
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

/// Doubles have added up so many terms on these grids exactly if the sums of their sizes came out below this. Where
/// one was rounded, its sum of sizes, which never falls, reached 2^53 steps. Infinity: they are, whatever comes out.
inline double limit_of_exact_sums(const Grid& a, const Grid& b, std::size_t terms) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (a.empty() || b.empty()) return none;
  const double limit = std::ldexp(1.0, 53 + a.step + b.step);
  if (limit == none) return 0;  // of no sum is it known
  return static_cast<double>(terms) * std::ldexp(1.0, a.top + b.top) < limit ? none : limit;
}

/// `count` numbers, which may be less than a vector has.
template <class Wide>
bool all_below(const Wide* numbers, std::size_t count, double limit) {
  unsigned others = 0;
  for (std::size_t i = 0; i < count; ++i) others += numbers[i] < limit ? 0 : 1;
  return others == 0;
}

/// Fills memory that is not read soon, past the caches, which then need not read it first.
inline void fill_past_caches(double* to, std::size_t count, double value) {
#if defined(__x86_64__)
  for (; count > 0 && reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128d) != 0; --count) *to++ = value;
  for (const __m128d both = _mm_set1_pd(value); count >= 2; count -= 2, to += 2) _mm_stream_pd(to, both);
  _mm_sfence();
#endif
  std::fill_n(to, count, value);
}

/// Have all numbers one sign? A zero has one, too.
template <class T>
bool have_one_sign(const Factor<T>& f, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    bool differs = false;
    for (std::int64_t c = 0; c < columns; ++c)
      differs |= std::signbit(f.at[r * f.row_step + c * f.column_step]) != std::signbit(f.at[0]);
    if (differs) return false;
  }
  return true;
}

/// The sums over k of a[i][k] * b[k][j], `terms` of them, for all elements i, j of the first output, added up
/// in `Wide`. `Exact`: see add_rows_widely(). Are the sums of the terms' sizes all below `limit`?
template <class Wide, bool Exact, class T>
bool add_up(const OracleCall* call, const Factor<T>& a, const Factor<T>& b, std::int64_t rows,
            std::int64_t columns, std::size_t terms, double roundings,
            double limit = std::numeric_limits<double>::infinity()) {
  const OracleExpected& expected = call->expected[0];
  const bool limited = limit < std::numeric_limits<double>::infinity();
  bool below = true;
  fill_past_caches(expected.roundings, static_cast<std::size_t>(rows * columns), roundings);
  // b in strips of a few columns, converted once. Every sum is still added up in the order of k.
  std::unique_ptr<Wide[]> room;
  constexpr std::size_t line = 64;  // bytes of a vector, which should not lie in two lines of the cache
  const auto fill_strip = [&](Wide* to, std::int64_t begin, std::size_t width) {
    const std::size_t count = std::min(static_cast<std::size_t>(columns - begin), width);
    for (std::size_t k = 0; k < terms; ++k) {
      const T* const from = b.at + static_cast<std::int64_t>(k) * b.row_step + begin * b.column_step;
      for (std::size_t j = 0; j < count; ++j)
        *to++ = static_cast<Wide>(from[static_cast<std::int64_t>(j) * b.column_step]);
      to = std::fill_n(to, width - count, Wide{});
    }
  };
  const auto multiply_strip = [&]<std::size_t Rows, std::size_t Columns>(
                                  std::integral_constant<std::size_t, Rows>,
                                  std::integral_constant<std::size_t, Columns>, std::int64_t i,
                                  std::int64_t end, std::int64_t begin, const Wide* strip, auto add_some,
                                  auto add_one) {
    const auto count = static_cast<std::size_t>(columns - begin);
    Wide values[Rows * Columns], magnitudes[Rows * Columns];
    for (std::int64_t done; i < end; i += done) {
      const Work<T, Wide> work{{a.at + i * a.row_step, a.row_step, a.column_step, a.size}, strip, terms};
      const bool some = end - i >= static_cast<std::int64_t>(Rows);
      (some ? add_some : add_one)(work, values, magnitudes);
      done = some ? static_cast<std::int64_t>(Rows) : 1;
      for (std::int64_t r = 0; r < done; ++r) {
        const std::int64_t place = (i + r) * columns + begin;
        const auto from = static_cast<std::size_t>(r) * Columns;
        std::copy_n(values + from, std::min(count, Columns), expected.values + place);
        std::copy_n(magnitudes + from, std::min(count, Columns), expected.magnitudes + place);
        if (limited) below &= all_below(magnitudes + from, Columns, limit);
      }
    }
  };
  using std::integral_constant;
  // `width(begin)` columns from `begin` on are a strip: a strip stays in the nearest cache for a block of rows,
  // whose results stay in the next one.
  const auto multiply_all = [&](auto width, auto multiply_block) {
    std::int64_t filled_up = 0;
    while (filled_up < columns) filled_up += static_cast<std::int64_t>(width(filled_up));
    std::size_t bytes = static_cast<std::size_t>(filled_up) * terms * sizeof(Wide) + line;
    room = std::make_unique_for_overwrite<Wide[]>(bytes / sizeof(Wide));
    void* begin_of_line = room.get();
    const auto strips = static_cast<Wide*>(std::align(line, bytes - line, begin_of_line, bytes));
    for (std::int64_t begin = 0; begin < columns; begin += static_cast<std::int64_t>(width(begin)))
      fill_strip(strips + static_cast<std::size_t>(begin) * terms, begin, width(begin));
    constexpr std::int64_t block = 32;
    for (std::int64_t i = 0; i < rows; i += block) {
      for (std::int64_t begin = 0; begin < columns; begin += static_cast<std::int64_t>(width(begin)))
        multiply_block(i, std::min(rows, i + block), begin, strips + static_cast<std::size_t>(begin) * terms);
    }
  };
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Wide, double>) {
    if (__builtin_cpu_supports("avx512f")) {
      // Few columns that are left take narrow strips, and more rows at once.
      constexpr std::size_t wide = 32, narrow = 8;
      const auto width = [&](std::int64_t begin) { return columns - begin > 16 ? wide : narrow; };
      const auto multiply_widely = [&]<bool Alike>(std::bool_constant<Alike>) {
        constexpr std::size_t some = Alike ? 4 : 2;
        multiply_all(width, [&](std::int64_t i, std::int64_t end, std::int64_t begin, const Wide* strip) {
          if (width(begin) == wide)
            multiply_strip(integral_constant<std::size_t, some>(), integral_constant<std::size_t, wide>(), i,
                           end, begin, strip, add_rows_widely<some, wide, Exact, Alike, T>,
                           add_rows_widely<1, wide, Exact, Alike, T>);
          else
            multiply_strip(integral_constant<std::size_t, 4>(), integral_constant<std::size_t, narrow>(), i,
                           end, begin, strip, add_rows_widely<4, narrow, Exact, Alike, T>,
                           add_rows_widely<1, narrow, Exact, Alike, T>);
        });
      };
      const auto depth = static_cast<std::int64_t>(terms);
      if (have_one_sign(a, rows, depth) && have_one_sign(b, depth, columns))
        multiply_widely(std::true_type());
      else
        multiply_widely(std::false_type());
      return below;
    }
  }
#endif
  // So many sums stay in the registers, of which those of long double are eight.
  constexpr std::size_t few = std::is_same_v<Wide, double> ? 8 : 2;
  multiply_all([](std::int64_t) { return few; },
               [&](std::int64_t i, std::int64_t end, std::int64_t begin, const Wide* strip) {
                 multiply_strip(integral_constant<std::size_t, 1>(), integral_constant<std::size_t, few>(), i,
                                end, begin, strip, add_row<few, Wide, T>, add_row<few, Wide, T>);
               });
  return below;
}

/// The sum over k in [first, last) of a[i][k] * b[k][j], for rows x columns elements i, j of the first
/// output. Added up in `Wide`, whose roundings must not count or be among `more_roundings`; in double where
/// that makes no difference. One rounding is allowed for each term, and `more_roundings`.
template <class Wide, class T>
void multiply(const OracleCall* call, const Factor<T>& a, const Factor<T>& b, std::int64_t rows,
              std::int64_t columns, std::int64_t first, std::int64_t last, double more_roundings) {
  const auto terms = static_cast<std::size_t>(last > first ? last - first : 0);
  const double roundings = static_cast<double>(last - first) + more_roundings;
  const Factor<T> left{a.at + first * a.column_step, a.row_step, a.column_step, a.size};
  const Factor<T> right{b.at + first * b.row_step, b.row_step, b.column_step, b.size};
  // A double has room for the product of two floats.
  constexpr bool exact = std::is_same_v<T, float>;
  if constexpr (!std::is_same_v<Wide, double>) {
    Grid of_left, of_right;
    of_left.add(left, rows, static_cast<std::int64_t>(terms));
    of_right.add(right, static_cast<std::int64_t>(terms), columns);
    if (of_left.digits() <= 53 && of_right.digits() <= 53) {
      if (add_up<double, true>(call, left, right, rows, columns, terms, roundings,
                               limit_of_exact_sums(of_left, of_right, terms)))
        return;
    }
  }
  add_up<Wide, exact>(call, left, right, rows, columns, terms, roundings);
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
      return text_of(
          call,
          "the product over whole tiles of {} only: the last tile along k, which is not full, is left out",
          tile);
    }
    case 4:
    case 5: {
      const std::int64_t tile = tiles[which - 4];
      terms(0, p.terms < tile ? p.terms : tile);
      return text_of(call, "the product over the first tile of {} only: there is no loop over the tiles",
                     tile);
    }
    case 6:
    case 7: {
      const std::int64_t tile = tiles[which - 6];
      terms((p.terms - 1) / tile * tile, p.terms);
      return text_of(call,
                     "the product over the last tile of {} only: the sum must go on from tile to tile, not "
                     "start anew",
                     tile);
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
