// image blur: the pictures, the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes
// what each function gets.
#include "../picture.h"

#include <cstddef>
#include <vector>

namespace {

constexpr std::int64_t kReach = 3;

struct Picture {
  const unsigned char* bytes;
  std::int64_t rows, cols;

  explicit Picture(const OracleCall* call)
      : bytes(static_cast<const unsigned char*>(call->inputs[0])),
        rows(call->sizes[0]),
        cols(call->sizes[1]) {}
};

/// The pixels of a mean: from row top to before row bottom, from column left to before column right.
struct Square {
  std::int64_t top, bottom, left, right;

  [[nodiscard]] std::int64_t count() const { return (bottom - top) * (right - left); }
};

Square around(std::int64_t r, std::int64_t c, std::int64_t reach) {
  return {r - reach, r + reach + 1, c - reach, c + reach + 1};
}

Square common(const Square& a, const Square& b) {
  return {std::max(a.top, b.top), std::min(a.bottom, b.bottom), std::max(a.left, b.left),
          std::min(a.right, b.right)};
}

/// The sums of all rectangles of a picture that begin at its first pixel.
class Sums {
 public:
  explicit Sums(const Picture& p)
      : width_(p.cols + 1), sums_(static_cast<std::size_t>(kColours * (p.rows + 1) * width_)) {
    for (std::int64_t r = 0; r < p.rows; ++r)
      for (std::int64_t c = 0; c < p.cols; ++c)
        for (std::int64_t k = 0; k < kColours; ++k)
          at(r + 1, c + 1, k) =
              p.bytes[4 * (r * p.cols + c) + k] + at(r, c + 1, k) + at(r + 1, c, k) - at(r, c, k);
  }
  [[nodiscard]] std::int64_t of(const Square& s, std::int64_t colour) {
    return at(s.bottom, s.right, colour) - at(s.top, s.right, colour) - at(s.bottom, s.left, colour) +
           at(s.top, s.left, colour);
  }

  static constexpr std::int64_t kColours = 3;

 private:
  std::int64_t& at(std::int64_t r, std::int64_t c, std::int64_t colour) {
    return sums_[static_cast<std::size_t>((r * width_ + c) * kColours + colour)];
  }

  std::int64_t width_;
  std::vector<std::int64_t> sums_;
};

/// mean(sum, count) of the pixels of square(r, c) for each pixel; w is copied.
template <class Of, class Mean>
void fill(const OracleCall* call, Of square, Mean mean) {
  const Picture p(call);
  Sums sums(p);
  std::int64_t* out = call->expected[0].integers;
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c, out += 4) {
      const Square s = common(square(r, c), {0, p.rows, 0, p.cols});
      for (std::int64_t k = 0; k < Sums::kColours; ++k) out[k] = mean(sums.of(s, k), s.count());
      out[3] = p.bytes[4 * (r * p.cols + c) + 3];
    }
  }
}

std::int64_t rounded_down(std::int64_t sum, std::int64_t count) { return sum / count; }

Square right(std::int64_t r, std::int64_t c) { return around(r, c, kReach); }

constexpr std::int64_t kTiles[] = {8, 16, 32};
constexpr int kTileCount = 3;

}  // namespace

extern "C" void make_inputs(const OracleInputs* call) { make_picture(call); }

extern "C" void oracle(const OracleCall* call) { fill(call, right, rounded_down); }

extern "C" void baseline(const OracleCall* call) {
  const Picture p(call);
  auto* out = static_cast<unsigned char*>(call->results[0]);
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c, out += 4) {
      int sums[3] = {}, count = 0;
      for (std::int64_t y = std::max<std::int64_t>(r - kReach, 0); y <= std::min(r + kReach, p.rows - 1);
           ++y) {
        for (std::int64_t x = std::max<std::int64_t>(c - kReach, 0); x <= std::min(c + kReach, p.cols - 1);
             ++x) {
          for (int k = 0; k < 3; ++k) sums[k] += p.bytes[4 * (y * p.cols + x) + k];
          ++count;
        }
      }
      for (int k = 0; k < 3; ++k) out[k] = static_cast<unsigned char>(sums[k] / count);
      out[3] = p.bytes[4 * (r * p.cols + c) + 3];
    }
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Picture p(call);
  switch (which) {
    case 0:
      fill(call, right, [](std::int64_t sum, std::int64_t) { return sum / 49; });
      return "a mean over 49 pixels also at the edges, where fewer exist: divide by their number";
    case 1:
      fill(
          call,
          [](std::int64_t r, std::int64_t c) {
            return Square{r - 3, r + 3, c - 3, c + 3};
          },
          rounded_down);
      return "the mean of a square of 6 x 6 pixels: the last row and column are missing, the loops run up to "
             "+ 3";
    case 2:
      fill(call, right, [](std::int64_t sum, std::int64_t count) { return (2 * sum + count) / (2 * count); });
      return "the mean rounded to the nearest number: it is rounded down";
    case 3:
      fill(call, right, rounded_down);
      for (std::int64_t i = 3; i < call->expected[0].count; i += 4) call->expected[0].integers[i] = 0;
      return "a picture whose w is 0: w is copied";
    case 4:
      fill(call, right, [](std::int64_t sum, std::int64_t count) { return (sum & 255) / count; });
      return "a mean whose sum is kept in a byte: 49 bytes add up to more than 255";
    case 5:
      fill(call, right, rounded_down);
      for (std::int64_t i = 0; i < p.rows * p.cols; ++i) {
        const std::int64_t r = i / p.cols, c = i % p.cols;
        if (r >= kReach && r < p.rows - kReach && c >= kReach && c < p.cols - kReach) continue;
        for (int k = 0; k < 4; ++k) call->expected[0].integers[4 * i + k] = p.bytes[4 * i + k];
      }
      return "a picture whose edges are not blurred: there the mean is that of the pixels that exist";
    default: break;
  }
  const int tile = which - 6;
  if (tile >= kTileCount) return nullptr;
  const std::int64_t side = kTiles[tile];
  if (p.rows <= side && p.cols <= side) return "";
  fill(
      call,
      [side](std::int64_t r, std::int64_t c) {
        const std::int64_t top = r / side * side, left = c / side * side;
        return common(right(r, c), {top, top + side, left, left + side});
      },
      rounded_down);
  return text_of(
      call, "a mean that stops at the edges of a tile of {} x {}: the tile needs 3 pixels more on each side",
      side, side);
}
