// image grey: the pictures, the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes
// what each function gets.
#include "../picture.h"

#include <cmath>

namespace {

/// out = grey(x, y, z) of each pixel, rounded.
template <class Grey>
void fill(const OracleCall* call, Grey grey) {
  const auto* image = static_cast<const unsigned char*>(call->inputs[0]);
  const OracleExpected& out = call->expected[0];
  for (std::int64_t i = 0; i < out.count; ++i)
    out.integers[i] = std::llround(grey(image[4 * i], image[4 * i + 1], image[4 * i + 2]));
}

double right(int red, int green, int blue) { return 0.299 * red + 0.587 * green + 0.114 * blue; }

}  // namespace

extern "C" void make_inputs(const OracleInputs* call) { make_picture(call); }

extern "C" void oracle(const OracleCall* call) { fill(call, right); }

extern "C" void baseline(const OracleCall* call) {
  const auto* image = static_cast<const unsigned char*>(call->inputs[0]);
  auto* out = static_cast<unsigned char*>(call->results[0]);
  const std::int64_t pixels = call->sizes[0] * call->sizes[1];
  for (std::int64_t i = 0; i < pixels; ++i)
    out[i] = static_cast<unsigned char>(0.299F * image[4 * i] + 0.587F * image[4 * i + 1] +
                                        0.114F * image[4 * i + 2]);
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  const OracleExpected& out = call->expected[0];
  switch (which) {
    case 0:
      fill(call, [](int red, int green, int blue) { return right(blue, green, red); });
      return "the grey of an image whose red and blue are exchanged: x is red and z is blue";
    case 1:
      fill(call, [](int red, int green, int blue) { return (red + green + blue) / 3.0; });
      return "the mean of red, green and blue: the weights are missing";
    case 2: fill(call, [](int red, int, int) { return red; }); return "red alone";
    case 3:
      fill(call, [](int, int, int) { return 0; });
      return "black: weights that are converted to integers are 0";
    case 4:
      oracle(call);
      for (std::int64_t i = out.count / 4 * 4; i < out.count; ++i) out.integers[i] = 0;
      return "a picture without its last pixels, which are fewer than four: a vector does not hold them";
    case 5: {
      if (rows == cols) return "";
      oracle(call);
      const auto* image = static_cast<const unsigned char*>(call->inputs[0]);
      for (std::int64_t i = 0; i < out.count; ++i) {
        const std::int64_t from = i % rows * cols + i / rows;
        out.integers[i] = std::llround(right(image[4 * from], image[4 * from + 1], image[4 * from + 2]));
      }
      return "the picture turned over its diagonal: the indices of row and column are exchanged";
    }
    default: return nullptr;
  }
}
