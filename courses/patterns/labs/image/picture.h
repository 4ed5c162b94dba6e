#pragma once
// The pictures of the image labs.

#include "oracle.h"

#include <algorithm>
#include <cstdint>

/// A bright disc on a ground that grows lighter, with some noise: rows x cols pixels of four bytes.
inline void make_picture(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t rows = call->sizes[0], cols = call->sizes[1];
  auto* image = static_cast<unsigned char*>(call->inputs[0]);
  const double across = random.uniform(0.3, 0.7), down = random.uniform(0.3, 0.7);
  const double radius = random.uniform(0.1, 0.3);
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    const double r = static_cast<double>(i / cols) / static_cast<double>(rows) - down,
                 c = static_cast<double>(i % cols) / static_cast<double>(cols) - across;
    const bool inside = r * r + c * c < radius * radius;
    for (int k = 0; k < 4; ++k) {
      const double light = inside ? 230 - 60 * k : 60 * (r + c + 1) + 40 * k;
      image[4 * i + k] = static_cast<unsigned char>(std::clamp(light + random.uniform(-40, 40), 0.0, 255.0));
    }
  }
}
