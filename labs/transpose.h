#pragma once
// The whole oracle of a transpose: the right answer, what it costs on one CPU thread, and the wrong ones that
// kernels often give. An oracle.cpp includes this and defines problem().

#include <cmath>
#include <cstdint>

#include "oracle.h"

namespace transpose {

struct Problem {
  const float* a;
  std::int64_t rows, cols;
};

/// The matrix of a call: defined by oracle.cpp.
Problem problem(const OracleCall* call);

/// Element (r, c) of `out`, which has p.cols rows and p.rows columns, is a[place(r, c)]; NaN, which no kernel
/// writes, where there is no such place.
template <class Place>
void fill(const OracleCall* call, const Problem& p, Place place) {
  for (std::int64_t r = 0; r < p.cols; ++r) {
    for (std::int64_t c = 0; c < p.rows; ++c) {
      const std::int64_t from = place(r, c);
      const bool inside = from >= 0 && from < p.rows * p.cols;
      call->expected[0].values[r * p.rows + c] = inside ? p.a[from] : NAN;
    }
  }
}

inline void answer(const OracleCall* call, const Problem& p) {
  fill(call, p, [&](std::int64_t r, std::int64_t c) { return c * p.cols + r; });
}

/// Numbered from 0, for a usual_mistake().
inline const char* mistake(const OracleCall* call, const Problem& p, int which) {
  constexpr std::int64_t tile = 32;
  switch (which) {
    case 0:
      fill(call, p, [&](std::int64_t r, std::int64_t c) { return r * p.rows + c; });
      return "a as it lies in memory: it is copied, not transposed";
    case 1:
      // The tile is written where it belongs, but is not turned.
      fill(call, p, [&](std::int64_t r, std::int64_t c) {
        const std::int64_t row = c / tile * tile + r % tile, col = r / tile * tile + c % tile;
        return row < p.rows && col < p.cols ? row * p.cols + col : -1;
      });
      return "a matrix whose tiles of 32 x 32 are in the right places but not transposed themselves: read the tile "
             "by columns when you write it";
    case 2:
      // The tile is turned, but written where it was read.
      fill(call, p, [&](std::int64_t r, std::int64_t c) {
        const std::int64_t row = r / tile * tile + c % tile, col = c / tile * tile + r % tile;
        return row < p.rows && col < p.cols ? row * p.cols + col : -1;
      });
      return "a matrix whose tiles of 32 x 32 are transposed but in the places where they were read: swap the tile's "
             "row and column in out";
    case 3:
      fill(call, p, [&](std::int64_t r, std::int64_t c) { return (p.rows - 1 - c) * p.cols + (p.cols - 1 - r); });
      return "the transpose about the other diagonal";
    case 4:  // a square matrix has rows of one length
      if (p.rows == p.cols) return nullptr;
      fill(call, p, [&](std::int64_t r, std::int64_t c) { return c * p.rows + r; });
      return "the transpose with rows of a that are taken to be as long as those of out: they have as many elements "
             "as a has columns";
    default: return nullptr;
  }
}

}  // namespace transpose

extern "C" void oracle(const OracleCall* call) { transpose::answer(call, transpose::problem(call)); }

extern "C" void baseline(const OracleCall* call) {
  const auto p = transpose::problem(call);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < p.rows; ++r)
    for (std::int64_t c = 0; c < p.cols; ++c) out[c * p.rows + r] = p.a[r * p.cols + c];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return transpose::mistake(call, transpose::problem(call), which);
}
