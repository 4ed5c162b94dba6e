// stencil heat: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace {

struct Grid {
  const float* t;
  double k;
  std::int64_t rows, cols;

  explicit Grid(const OracleCall* call)
      : t(static_cast<const float*>(call->inputs[0])),
        k(*static_cast<const float*>(call->inputs[1])),
        rows(call->sizes[0]),
        cols(call->sizes[1]) {}

  [[nodiscard]] bool has(std::int64_t r, std::int64_t c) const {
    return r >= 0 && r < rows && c >= 0 && c < cols;
  }
  [[nodiscard]] bool inner(std::int64_t r, std::int64_t c) const {
    return r > 0 && r < rows - 1 && c > 0 && c < cols - 1;
  }
  [[nodiscard]] double at(std::int64_t r, std::int64_t c) const { return has(r, c) ? t[r * cols + c] : 0; }
};

/// next[r][c] = cell(r, c).
template <class Cell>
void fill(const OracleCall* call, const Grid& g, Cell cell) {
  const OracleExpected& next = call->expected[0];
  for (std::int64_t i = 0; i < next.count; ++i) {
    const std::int64_t r = i / g.cols, c = i % g.cols;
    double neighbours = 0;
    if (g.inner(r, c))
      neighbours = std::fabs(g.at(r - 1, c)) + std::fabs(g.at(r + 1, c)) + std::fabs(g.at(r, c - 1)) +
                   std::fabs(g.at(r, c + 1)) + 4 * std::fabs(g.at(r, c));
    next.values[i] = cell(r, c);
    next.magnitudes[i] = std::fabs(g.at(r, c)) + g.k * neighbours;
    next.roundings[i] = g.inner(r, c) ? 8 : 0;  // a border is copied
  }
}

/// The step with neighbours that `read(r, c, r2, c2)` gives to cell (r, c).
template <class Read>
double step(const Grid& g, std::int64_t r, std::int64_t c, Read read) {
  const double around =
      read(r, c, r - 1, c) + read(r, c, r + 1, c) + read(r, c, r, c - 1) + read(r, c, r, c + 1);
  return g.at(r, c) + g.k * (around - 4 * g.at(r, c));
}

double right(const Grid& g, std::int64_t r, std::int64_t c) {
  if (!g.inner(r, c)) return g.at(r, c);
  return step(g, r, c,
              [&](std::int64_t, std::int64_t, std::int64_t r2, std::int64_t c2) { return g.at(r2, c2); });
}

/// The tile has no halo: a neighbour in another tile of height x width is taken for 0.
void without_halo(const OracleCall* call, const Grid& g, std::int64_t height, std::int64_t width) {
  fill(call, g, [&](std::int64_t r, std::int64_t c) {
    if (!g.inner(r, c)) return g.at(r, c);
    return step(g, r, c, [&](std::int64_t r1, std::int64_t c1, std::int64_t r2, std::int64_t c2) {
      return r1 / height == r2 / height && c1 / width == c2 / width ? g.at(r2, c2) : 0;
    });
  });
}

struct Tile {
  std::int64_t height, width;
};
constexpr Tile kTiles[] = {{16, 16}, {8, 32}, {32, 32}, {16, 32}, {4, 64}, {8, 8}};
constexpr int kTileCount = sizeof(kTiles) / sizeof(kTiles[0]);

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Grid g(call);
  fill(call, g, [&](std::int64_t r, std::int64_t c) { return right(g, r, c); });
}

extern "C" void baseline(const OracleCall* call) {
  const Grid g(call);
  const auto k = static_cast<float>(g.k);
  auto* next = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < g.rows; ++r) {
    for (std::int64_t c = 0; c < g.cols; ++c) {
      const float* cell = g.t + r * g.cols + c;
      float& out = next[r * g.cols + c];
      out = *cell;
      if (g.inner(r, c)) out += k * (cell[-g.cols] + cell[g.cols] + cell[-1] + cell[1] - 4 * *cell);
    }
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Grid g(call);
  switch (which) {
    case 0:
      fill(call, g, [&](std::int64_t r, std::int64_t c) {
        return step(g, r, c, [&](std::int64_t, std::int64_t, std::int64_t r2, std::int64_t c2) {
          return g.at(r2, c2);
        });
      });
      return "a step in which neighbours outside of the grid count as 0: cells of the border keep their "
             "temperature";
    case 1:
      fill(call, g, [&](std::int64_t r, std::int64_t c) {
        return step(g, r, c, [&](std::int64_t, std::int64_t, std::int64_t r2, std::int64_t c2) {
          return g.at(std::clamp<std::int64_t>(r2, 0, g.rows - 1),
                      std::clamp<std::int64_t>(c2, 0, g.cols - 1));
        });
      });
      return "a step in which the border takes itself for its missing neighbours: cells of the border keep "
             "their temperature";
    case 2:
      fill(call, g, [&](std::int64_t r, std::int64_t c) { return g.inner(r, c) ? right(g, r, c) : 0; });
      return "the inner cells alone, with 0 on the border: copy the border from t";
    case 3:
      fill(call, g, [&](std::int64_t r, std::int64_t c) {
        return g.inner(r, c) ? right(g, r, c) + 4 * g.k * g.at(r, c) : g.at(r, c);
      });
      return "t + k * (the sum of the neighbours): 4 * t is not subtracted from the sum";
    case 4:
      fill(call, g,
           [&](std::int64_t r, std::int64_t c) { return right(g, r, c) - (g.inner(r, c) ? g.at(r, c) : 0); });
      return "the change of the temperature alone: add it to t";
    default: break;
  }
  const int tile = which - 5;
  if (tile >= kTileCount) return nullptr;
  const auto [height, width] = kTiles[tile];
  if (g.rows <= height && g.cols <= width) return "";
  without_halo(call, g, height, width);
  return text_of(
      call,
      "a step in which cells outside of a tile of {} x {} count as 0: the tile needs one cell more "
      "on each side",
      height, width);
}
