#pragma once

// Square and cube roots, and the lengths of vectors.

#include "base.h"

namespace cudalabs_math {

CUDALABS_MATH float sqrt(float x) { return sqrt_of(x); }
CUDALABS_MATH double sqrt(double x) { return sqrt_of(x); }
CUDALABS_MATH float rsqrt(float x) { return rsqrt_full(x); }
CUDALABS_MATH double rsqrt(double x) { return rsqrt_full(x); }

/// Cube roots start from 2^(log2(a)/3) of the special-function unit, which is accurate to 19 bits.
CUDALABS_MATH float cbrt(float x) {
  const float a = absolute(x);
  const bool small = a < 0x1p-126f;
  const float m = small ? a * 0x1p24f : a;
  const float r = exp2_unit(log2_unit(m) * 0x1.555556p-2f), square = r * r;
  const float error = fma(-square, r, m);  // Newton: r + (m - r^3) / (3 r^2)
  const float better = fma(error, reciprocal_unit(square) * 0x1.555556p-2f, r);
  const float v = with_sign(small ? better * 0x1p-8f : better, x);
  return a > 0.0f && a < infinity_f() ? v : x + x;
}
CUDALABS_MATH double cbrt(double x) {
  const double a = absolute(x);
  const bool small = a < 0x1p-1022;
  const double normal = small ? a * 0x1p54 : a;
  const s32 e = static_cast<s32>(high_word(normal) >> 20) - 1023, third = (e + 1200) / 3 - 400;
  // From 1 to 8.
  const double m = from_bits(bits(normal) - (static_cast<u64>(static_cast<u32>(3 * third)) << 52));
  const double r = exp2_unit(log2_unit(static_cast<float>(m)) * 0x1.555556p-2f);
  const double square = r * r;  // exact, of 24 bits
  const double cube = square * r, error = fma(-square, r, m);
  const double better = fma(r, quotient(error, fma(2.0, cube, m)), r);  // Halley
  const double v = with_sign(better * power_of_two(small ? third - 18 : third, double{}), x);
  return a > 0.0 && a < infinity_d() ? v : x + x;
}
CUDALABS_MATH float rcbrt(float x) {
  const float a = absolute(x);
  const bool small = a < 0x1p-126f;
  const float m = small ? a * 0x1p24f : a;
  const float r = exp2_unit(log2_unit(m) * -0x1.555556p-2f);
  // Newton: r + r (1 - m r^3) / 3, where m r and r^2 are known to more bits than a float has.
  const Pair<float> p = exact_product(m, r), s = exact_product(r, r);
  const float error = fma(-p.high, s.high, 1.0f) - fma(p.high, s.low, p.low * s.high);
  const float better = fma(error * 0x1.555556p-2f, r, r);
  const float v = with_sign(small ? better * 0x1p8f : better, x);
  return a > 0.0f && a < infinity_f() ? v : quotient(1.0f, x);
}
CUDALABS_MATH double rcbrt(double x) { return quotient(1.0, cbrt(x)); }

/// The factor that scales a vector so that its squares neither overflow nor vanish.
CUDALABS_MATH float scale_of(float largest) {
  return largest > 0x1p60f ? 0x1p-70f : largest < 0x1p-50f ? 0x1p110f : 1.0f;
}
CUDALABS_MATH double scale_of(double largest) {
  return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-500 ? 0x1p700 : 1.0;
}
// The sum of squares. Plain float is accurate to the required two to three last places.
CUDALABS_MATH Pair<float> add_square(Pair<float> sum, float x) { return {fma(x, x, sum.high), 0.0f}; }
CUDALABS_MATH float root_of(Pair<float> sum) { return sqrt_of(sum.high); }
CUDALABS_MATH Pair<double> add_square(Pair<double> sum, double x) {
  const Pair<double> square = exact_product(x, x), s = exact_sum(sum.high, square.high);
  return {s.high, sum.low + (s.low + square.low)};
}
CUDALABS_MATH double root_of(Pair<double> sum) {
  const double r = sqrt_of(sum.high);
  const double corrected = fma(fma(-r, r, sum.high) + sum.low, 0.5 * reciprocal_unit(r), r);
  return sum.high > 0.0 ? corrected : sum.high;
}
/// The length of a vector, or its reciprocal.
template <bool Reciprocal, class F, class... Rest>
CUDALABS_MATH F length_of(F first, Rest... rest) {
  F largest = absolute(first), total = first;
  ((largest = most(largest, absolute(rest)), total = total + rest), ...);
  if (largest == static_cast<F>(infinity_f())) return Reciprocal ? F{0} : largest;
  const F scale = scale_of(largest), scaled_first = first * scale;
  Pair<F> sum = add_square(Pair<F>{F{0}, F{0}}, scaled_first);
  ((sum = add_square(sum, rest * scale)), ...);
  const F r = root_of(sum);
  if (total != total) return total;  // an element is NaN
  return Reciprocal ? quotient(F{1}, r) * scale : r * (F{1} / scale);
}
template <class F>
CUDALABS_MATH F hypot(F x, F y) {
  return length_of<false>(x, y);
}
template <class F>
CUDALABS_MATH F rhypot(F x, F y) {
  return length_of<true>(x, y);
}
template <class F>
CUDALABS_MATH F norm3d(F x, F y, F z) {
  return length_of<false>(x, y, z);
}
template <class F>
CUDALABS_MATH F rnorm3d(F x, F y, F z) {
  return length_of<true>(x, y, z);
}
template <class F>
CUDALABS_MATH F norm4d(F x, F y, F z, F w) {
  return length_of<false>(x, y, z, w);
}
template <class F>
CUDALABS_MATH F rnorm4d(F x, F y, F z, F w) {
  return length_of<true>(x, y, z, w);
}
template <bool Reciprocal, class F>
CUDALABS_MATH_CALLED F length_of_many(int count, const F* values) {
  F largest = F{0}, total = F{0};
  for (int i = 0; i < count; ++i) {
    largest = most(largest, absolute(values[i]));
    if (values[i] != values[i]) total = values[i];
  }
  if (largest == static_cast<F>(infinity_f())) return Reciprocal ? F{0} : largest;
  const F scale = scale_of(largest);
  Pair<F> sum = {F{0}, F{0}};
  for (int i = 0; i < count; ++i) sum = add_square(sum, values[i] * scale);
  const F r = root_of(sum);
  if (total != total) return total;
  return Reciprocal ? quotient(F{1}, r) * scale : r * (F{1} / scale);
}
template <class F>
CUDALABS_MATH F norm(int count, const F* values) {
  return length_of_many<false>(count, values);
}
template <class F>
CUDALABS_MATH F rnorm(int count, const F* values) {
  return length_of_many<true>(count, values);
}

}  // namespace cudalabs_math
