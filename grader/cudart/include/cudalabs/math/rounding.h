#pragma once

// Rounding to integers, remainders, and the parts of a number.

#include "base.h"

namespace cudalabs_math {

template <class F>
struct Format;
template <>
struct Format<float> {
  using Bits = u32;
  static constexpr int kMantissa = 23, kBias = 127, kLargest = 255;
  static constexpr float kNormal = 0x1p-126f, kUp = 0x1p24f, kDown = 0x1p-64f;
  static constexpr int kUpBy = 24;
};
template <>
struct Format<double> {
  using Bits = u64;
  static constexpr int kMantissa = 52, kBias = 1023, kLargest = 2047;
  static constexpr double kNormal = 0x1p-1022, kUp = 0x1p54, kDown = 0x1p-64;
  static constexpr int kUpBy = 54;
};

template <class F>
CUDALABS_MATH s32 exponent_field(F x) {
  return static_cast<s32>(bits(x) >> Format<F>::kMantissa) & Format<F>::kLargest;
}
template <class F>
CUDALABS_MATH bool is_finite(F x) {
  return exponent_field(x) != Format<F>::kLargest;
}
template <class F>
CUDALABS_MATH F with_exponent_field(F x, s32 field) {
  using Bits = typename Format<F>::Bits;
  constexpr Bits kField = static_cast<Bits>(Format<F>::kLargest) << Format<F>::kMantissa;
  return from_bits((bits(x) & ~kField) | static_cast<Bits>(field) << Format<F>::kMantissa);
}

/// The normal number and exponent of 2 that frexp, logb and similar functions use: scaled so that 1 <= m <
/// 2.
template <class F>
struct Normal {
  F m;
  s32 exponent;
};
template <class F>
CUDALABS_MATH Normal<F> normal_parts(F x) {
  const bool small = absolute(x) < Format<F>::kNormal;
  const F a = small ? x * Format<F>::kUp : x;
  return {with_exponent_field(a, Format<F>::kBias),
          exponent_field(a) - Format<F>::kBias - (small ? Format<F>::kUpBy : 0)};
}
template <class F>
CUDALABS_MATH F frexp(F x, int* exponent) {
  const bool plain = is_finite(x) && x != F{0};
  const Normal<F> n = normal_parts(x);
  *exponent = plain ? n.exponent + 1 : 0;
  return plain ? n.m * F{0.5} : x + x;
}
template <class F>
CUDALABS_MATH F logb(F x) {
  if (x == F{0}) return -static_cast<F>(infinity_f());
  return is_finite(x) ? static_cast<F>(normal_parts(x).exponent) : x * x;
}
template <class F>
CUDALABS_MATH int ilogb(F x) {
  if (x == F{0} || x != x) return -2147483647 - 1;
  return is_finite(x) ? normal_parts(x).exponent : 2147483647;
}
template <class F>
CUDALABS_MATH F scalbn(F x, int n) {
  if (!is_finite(x) || x == F{0}) return x + x;
  const Normal<F> p = normal_parts(x);
  const s32 bounded = n > 5000    ? 5000
                      : n < -5000 ? -5000
                                  : n,
            field = p.exponent + Format<F>::kBias + bounded;
  if (field >= Format<F>::kLargest) return with_sign(static_cast<F>(infinity_f()), x);
  if (field > 0) return with_exponent_field(p.m, field);
  // Subnormal: one product, which rounds once.
  return field < -60 ? with_sign(F{0}, x) : with_exponent_field(p.m, field + 64) * Format<F>::kDown;
}
template <class F>
CUDALABS_MATH F scalbln(F x, long n) {
  return scalbn(x, n > 5000 ? 5000 : n < -5000 ? -5000 : static_cast<int>(n));
}
template <class F>
CUDALABS_MATH F ldexp(F x, int n) {
  return scalbn(x, n);
}
template <class F>
CUDALABS_MATH F modf(F x, F* whole) {
  const F t = truncated(x);
  *whole = t;
  return with_sign(absolute(x) == static_cast<F>(infinity_f()) ? F{0} : x - t, x);
}
template <class F>
CUDALABS_MATH F nextafter(F x, F y) {
  using Bits = typename Format<F>::Bits;
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == F{0}) return with_sign(from_bits(Bits{1}), y);
  return from_bits((x < y) == (x > F{0}) ? bits(x) + 1 : bits(x) - 1);
}

template <class F>
CUDALABS_MATH F round(F x) {
  const F t = truncated(x);
  return with_sign(absolute(x - t) >= F{0.5} ? t + with_sign(F{1}, x) : t, x);
}
template <class F>
CUDALABS_MATH F fdim(F x, F y) {
  return x <= y ? F{0} : x - y;
}

/// |x| minus a multiple of |y|, both finite and y not 0, and the last 32 bits of the multiple.
template <class F>
struct Division {
  F rest;
  u32 quotient;
};
template <class F>
CUDALABS_MATH_CALLED Division<F> divide_by_steps(F ax, F ay) {
  constexpr int kMantissa = Format<F>::kMantissa, kStep = 63 - kMantissa;
  const s32 fx = exponent_field(ax), fy = exponent_field(ay), ex = fx > 0 ? fx : 1, ey = fy > 0 ? fy : 1;
  constexpr u64 kHidden = u64{1} << kMantissa;
  u64 m = (bits(ax) & (kHidden - 1)) | (fx > 0 ? kHidden : 0);
  const u64 by = (bits(ay) & (kHidden - 1)) | (fy > 0 ? kHidden : 0);
  u64 multiple = m / by;
  m -= multiple * by;
  for (s32 left = ex - ey; left > 0;) {
    const s32 step = left < kStep ? left : kStep;
    m <<= step;
    const u64 q = m / by;
    m -= q * by;
    multiple = (multiple << step) + q;
    left -= step;
  }
  // m has y's exponent, which may be that of subnormal numbers.
  const s32 e = ey - Format<F>::kBias - kMantissa;
  const F unit = e > -Format<F>::kBias ? power_of_two(e, F{})
                                       : from_bits(static_cast<typename Format<F>::Bits>(1)
                                                   << (e + Format<F>::kBias + kMantissa - 1));
  return {static_cast<F>(m) * unit, static_cast<u32>(multiple)};
}
template <class F>
CUDALABS_MATH Division<F> divide(F x, F y) {
  const F ax = absolute(x), ay = absolute(y);
  if (ax < ay) return {ax, 0};
  const F q = truncated(quotient(ax, ay));
  if (!(q < Format<F>::kUp * F(0.125))) return divide_by_steps(ax, ay);
  // The quotient was rounded: it is right or too large by 1, and the remainder is exact.
  const F rest = fma(-q, ay, ax);
  const bool over = rest < F{0};
  return {over ? rest + ay : rest, static_cast<u32>(static_cast<u64>(q)) - (over ? 1 : 0)};
}
template <class F>
CUDALABS_MATH bool divides(F x, F y) {
  return is_finite(x) && y == y && y != F{0};
}
template <class F>
CUDALABS_MATH F fmod(F x, F y) {
  if (!divides(x, y)) return static_cast<F>(nan_f());
  return is_finite(y) ? with_sign(divide(x, y).rest, x) : x;
}
template <class F>
CUDALABS_MATH F remquo(F x, F y, int* quotient) {
  *quotient = 0;
  if (!divides(x, y)) return static_cast<F>(nan_f());
  if (!is_finite(y)) return x;
  Division<F> d = divide(x, y);
  const F ay = absolute(y), rest = d.rest, other = ay - rest;
  // Rounds to the nearest multiple; if two are equally near, to the even one.
  const bool up = rest > other || (rest == other && (d.quotient & 1) != 0);
  const u32 q = (d.quotient + (up ? 1 : 0)) & 0x7FFFFFFFu;
  const F r = up ? -other : rest;
  *quotient = with_sign(F{1}, x) == with_sign(F{1}, y) ? static_cast<int>(q) : -static_cast<int>(q);
  return with_sign(F{1}, x) < F{0} ? -r : r;
}
template <class F>
CUDALABS_MATH F remainder(F x, F y) {
  int quotient;
  return remquo(x, y, &quotient);
}

// Functions that are one instruction.
template <class F>
CUDALABS_MATH F fabs(F x) {
  return absolute(x);
}
template <class F>
CUDALABS_MATH F floor(F x) {
  return floor_of(x);
}
CUDALABS_MATH float ceil(float x) { return __builtin_ceilf(x); }
CUDALABS_MATH double ceil(double x) { return __builtin_ceil(x); }
template <class F>
CUDALABS_MATH F trunc(F x) {
  return truncated(x);
}
template <class F>
CUDALABS_MATH F rint(F x) {
  return rint_of(x);
}
template <class F>
CUDALABS_MATH F nearbyint(F x) {
  return rint_of(x);
}
template <class F>
CUDALABS_MATH F copysign(F x, F sign) {
  return with_sign(x, sign);
}
template <class F>
CUDALABS_MATH F fmin(F x, F y) {
  return least(x, y);
}
template <class F>
CUDALABS_MATH F fmax(F x, F y) {
  return most(x, y);
}

}  // namespace cudalabs_math
