#pragma once
// Floating-point numbers of 16 bits on the host, where nothing is computed in them: each converts to a float,
// which holds all of its values.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cudalabs {

/// As IEEE 754 lays them out, with so many bits of exponent.
template <int kExponentBits>
struct SmallFloat {
  static constexpr int kFractionBits = 15 - kExponentBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity = ((1 << kExponentBits) - 1) << kFractionBits;

  std::uint16_t bits = 0;

  SmallFloat() = default;
  /// Rounds to nearest, ties to even.
  explicit SmallFloat(double value) : bits(of_magnitude(std::abs(value))) {
    if (std::signbit(value)) bits |= 0x8000;
  }
  operator float() const {  // NOLINT(google-explicit-constructor): no value changes
    const int exponent = (bits & kInfinity) >> kFractionBits, fraction = bits & ((1 << kFractionBits) - 1);
    float magnitude = std::ldexp(static_cast<float>(fraction + (exponent > 0 ? 1 << kFractionBits : 0)),
                                 (exponent > 0 ? exponent : 1) - kBias - kFractionBits);
    if ((bits & kInfinity) == kInfinity) magnitude = fraction == 0 ? INFINITY : NAN;
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }

 private:
  static std::uint16_t of_magnitude(double magnitude) {
    if (std::isnan(magnitude)) return kInfinity | 1 << (kFractionBits - 1);
    if (std::isinf(magnitude)) return kInfinity;
    const int exponent = magnitude == 0 ? 1 - kBias : std::max(std::ilogb(magnitude), 1 - kBias);
    if (exponent > kBias) return kInfinity;
    // A fraction that is rounded up to the next power of two adds one to the exponent. Below the smallest
    // normal number the leading bit is missing.
    const auto rounded = static_cast<int>(std::nearbyint(std::ldexp(magnitude, kFractionBits - exponent)));
    return static_cast<std::uint16_t>(((exponent + kBias - 1) << kFractionBits) + rounded);
  }
};

using HalfFloat = SmallFloat<5>;
using BFloat16 = SmallFloat<8>;

}  // namespace cudalabs
