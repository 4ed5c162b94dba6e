// @LAB@ @VARIANT@: the pictures, the right answer, its time on one CPU thread, and usual mistakes.
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace {

template <class Grey>
void fill(const OracleCall* call, Grey grey) {
  const auto* image = static_cast<const unsigned char*>(call->inputs[0]);
  const OracleExpected& out = call->expected[0];
  for (std::int64_t i = 0; i < out.count; ++i)
    out.integers[i] = std::llround(grey(image[4 * i], image[4 * i + 1], image[4 * i + 2]));
}

}  // namespace

// A bright disc on a ground that grows lighter, with some noise.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  auto* image = static_cast<unsigned char*>(call->inputs[0]);
  const double middle = random.uniform(0.3, 0.7), radius = random.uniform(0.1, 0.3);
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    const double r = static_cast<double>(i / cols) / static_cast<double>(rows) - middle,
                 c = static_cast<double>(i % cols) / static_cast<double>(cols) - middle;
    const bool inside = r * r + c * c < radius * radius;
    for (int k = 0; k < 4; ++k) {
      const double light = inside ? 230 - 20 * k : 120 * (r + c + 1) / 2 + 20 * k;
      image[4 * i + k] = static_cast<unsigned char>(std::clamp(light + random.uniform(-20, 20), 0.0, 255.0));
    }
  }
}

extern "C" void oracle(const OracleCall* call) {
  fill(call, [](int r, int g, int b) { return 0.299 * r + 0.587 * g + 0.114 * b; });
}

extern "C" void baseline(const OracleCall* call) {
  const auto* image = static_cast<const unsigned char*>(call->inputs[0]);
  auto* out = static_cast<unsigned char*>(call->results[0]);
  for (std::int64_t i = 0; i < call->sizes[0] * call->sizes[1]; ++i)
    out[i] = static_cast<unsigned char>(0.299F * image[4 * i] + 0.587F * image[4 * i + 1] +
                                        0.114F * image[4 * i + 2]);
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  if (which > 0) return nullptr;
  fill(call, [](int r, int g, int b) { return (r + g + b) / 3.0; });
  return "the mean of red, green and blue: the weights are missing";
}
