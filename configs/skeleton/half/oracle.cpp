// @LAB@ @VARIANT@: the right answer, and its time on one CPU thread.
#include "oracle.h"

#include <cmath>

namespace {

// The value of a half-precision number.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

// Rounds to 11 bits.
double rounded(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  const double step = std::ldexp(1.0, (exponent < -13 ? -13 : exponent) - 11);
  return std::nearbyint(x / step) * step;
}

std::uint16_t bits_of(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = x == 0 || exponent < -13 ? -13 : exponent;
  const auto magnitude = static_cast<int>(std::ldexp(std::abs(x), 11 - exponent)) + ((exponent + 13) << 10);
  return static_cast<std::uint16_t>(magnitude | (std::signbit(x) ? 0x8000 : 0));
}

template <class Store>
void each(const OracleCall* call, Store store) {
  const auto* x = static_cast<const std::uint16_t*>(call->inputs[0]);
  const double factor = value_of(*static_cast<const std::uint16_t*>(call->inputs[1]));
  for (std::int64_t i = 0; i < call->sizes[0]; ++i)
    store(i, rounded(value_of(x[2 * i]) * factor), rounded(value_of(x[2 * i + 1]) * factor));
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  each(call, [call](std::int64_t i, double a, double b) {
    call->expected[0].values[2 * i] = a;
    call->expected[0].values[2 * i + 1] = b;
    const double sums[] = {a, b, a + b, 0};
    for (int k = 0; k < 4; ++k) call->expected[1].values[4 * i + k] = sums[k];
    call->expected[2].integers[i] = a < 0 ? -1 : a > 0;
  });
}

extern "C" void baseline(const OracleCall* call) {
  each(call, [call](std::int64_t i, double a, double b) {
    static_cast<std::uint16_t*>(call->results[0])[2 * i] = bits_of(a);
    static_cast<std::uint16_t*>(call->results[0])[2 * i + 1] = bits_of(b);
    const double sums[] = {a, b, a + b, 0};
    for (int k = 0; k < 4; ++k)
      static_cast<float*>(call->results[1])[4 * i + k] = static_cast<float>(sums[k]);
    static_cast<signed char*>(call->results[2])[i] = static_cast<signed char>(a < 0 ? -1 : a > 0);
  });
}
