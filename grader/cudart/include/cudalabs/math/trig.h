#pragma once

// sin, cos, tan and similar: the argument minus a multiple of pi/2, then a polynomial.

#include "polynomials.h"

namespace cudalabs_math {

/// The remainder of an argument, |rest| <= pi/4, and the number of quarter turns (the last two bits of
/// `quarter`).
template <class F>
struct Reduced {
  F rest;
  s32 quarter;
};

/// mantissa * 2^exponent minus a multiple of pi/2, for a mantissa below 2^53 and an exponent from -64
/// on. The product with 2/pi omits the bits of 2/pi that make whole turns, and those too small to
/// matter.
CUDALABS_MATH_CALLED Reduced<double> reduce_exactly(u64 mantissa, s32 exponent) {
  // 2/pi: its first bits after the point, 64 each.
  CUDALABS_MATH_TABLE(u64, two_over_pi, 20) = {
      0xA2F9836E4E441529ull, 0xFC2757D1F534DDC0ull, 0xDB6295993C439041ull, 0xFE5163ABDEBBC561ull,
      0xB7246E3A424DD2E0ull, 0x06492EEA09D1921Cull, 0xFE1DEB1CB129A73Eull, 0xE88235F52EBB4484ull,
      0xE99C7026B45F7E41ull, 0x3991D639835339F4ull, 0x9C845F8BBDF9283Bull, 0x1FF897FFDE05980Full,
      0xEF2F118B5A0A6D1Full, 0x6D367ECF27CB09B7ull, 0x4F463F669E5FEA2Dull, 0x7527BAC7EBE5F17Bull,
      0x3D0739F78A5292EAull, 0x6BFB5FB11F8D5D08ull, 0x56033046FC7B6BABull, 0xF0CFBC209AF4361Dull,
  };
  const s32 point = exponent < 2 ? exponent : 2, skip = exponent - point;
  const s32 word = skip >> 6, shift = skip & 63;
  u64 a = two_over_pi[word], b = two_over_pi[word + 1], c = two_over_pi[word + 2];
  if (shift != 0) {
    a = a << shift | b >> (64 - shift);
    b = b << shift | c >> (64 - shift);
    c = c << shift | two_over_pi[word + 3] >> (64 - shift);
  }
  // mantissa * (a b c) is (top high low ...), the point 64 + `point` bits behind the first.
  const u64 middle = b * mantissa;
  const u64 low = middle + high_product(c, mantissa);
  const u64 upper = a * mantissa, carried = upper + high_product(b, mantissa),
            high = carried + (low < middle ? 1 : 0);
  const u64 top = high_product(a, mantissa) + (carried < upper ? 1 : 0) + (high < carried ? 1 : 0);
  u64 whole = top, fraction = high, tail = low;
  if (point > 0) {
    whole = top << point | high >> (64 - point);
    fraction = high << point | low >> (64 - point);
    tail = low << point;
  } else if (point < 0) {
    whole = top >> -point;
    fraction = top << (64 + point) | high >> -point;
    tail = high << (64 + point) | low >> -point;
  }
  // Rounds to the nearest quarter: more than half of one is a negative remainder of the next.
  const bool up = fraction >> 63 != 0;
  if (up) {
    fraction = ~fraction;
    tail = ~tail;
  }
  s32 zeros = 0;
  if (fraction == 0) {
    fraction = tail;
    tail = 0;
    zeros = 64;
  }
  const s32 lead = fraction == 0 ? 0 : __builtin_clzll(fraction);
  if (lead != 0) fraction = fraction << lead | tail >> (64 - lead);
  const double first = static_cast<double>(fraction >> 11) * 0x1p-53;
  const double second = static_cast<double>(fraction & 2047) * 0x1p-64;
  const double value =
      fma(first, 0x1.921fb54442d18p+0, fma(first, 0x1.1a62633145c07p-54, second * 0x1.921fb54442d18p+0));
  const double rest = value * power_of_two(-zeros - lead, double{});
  return {up ? -rest : rest, static_cast<s32>(whole & 3) + (up ? 1 : 0)};
}

// ---- float ------------------------------------------------------------------------------------------------------

CUDALABS_MATH_CALLED Reduced<float> reduce_large(float a) {
  const u32 b = bits(a);
  const Reduced<double> r =
      reduce_exactly((b & 0x7FFFFFu) | 0x800000u, static_cast<s32>(b >> 23 & 255) - 150);
  const float rest = static_cast<float>(r.rest);
  if ((b & 0x7F800000u) == 0x7F800000u) return {nan_f(), 0};
  return (b >> 31) != 0 ? Reduced<float>{-rest, -r.quarter} : Reduced<float>{rest, r.quarter};
}

/// pi/2 in three parts of 24 bits: below this bound a multiple of it is exact enough in float.
constexpr float kLargeAngleF = 100000.0f;
CUDALABS_MATH Reduced<float> reduce(float a) {
  if (!(absolute(a) <= kLargeAngleF)) return reduce_large(a);
  constexpr float kMagic = 0x1.8p23f;  // adding it to a number below 2^22 puts that number into its last bits
  const float t = fma(a, 0x1.45f306p-1f, kMagic), q = t - kMagic;
  // All parts have one sign, so that -0 stays -0.
  float r = fma(q, -0x1.921fb4p+0f, a);
  r = fma(q, -0x1.4442dp-24f, r);
  r = fma(q, -0x1.846988p-48f, r);
  return {r, static_cast<s32>(bits(t))};
}

/// sin(r + quarter pi/2): an odd quarter takes the cosine.
CUDALABS_MATH float sin_of(Reduced<float> a) {
  const float z = a.rest * a.rest;
  const bool odd = (a.quarter & 1) != 0;
  // Never -0, so that -0 and the value added to it have one sign.
  const float factor = fma(z, odd ? z : a.rest, 0.0f);
  const float v = fma(factor, sin_cos_polynomialf(z, odd), odd ? fma(z, -0.5f, 1.0f) : a.rest);
  return (a.quarter & 2) != 0 ? -v : v;
}
CUDALABS_MATH float sin(float a) { return sin_of(reduce(a)); }
CUDALABS_MATH float cos(float a) {
  const Reduced<float> r = reduce(a);
  return sin_of(Reduced<float>{r.rest, r.quarter + 1});
}
CUDALABS_MATH void sincos(float a, float* s, float* c) {
  const Reduced<float> r = reduce(a);
  *s = sin_of(r);
  *c = sin_of(Reduced<float>{r.rest, r.quarter + 1});
}
CUDALABS_MATH float tan(float a) {
  const Reduced<float> r = reduce(a);
  const float z = r.rest * r.rest;
  const float t = fma(z * r.rest, tan_polynomialf(z), r.rest);
  return (r.quarter & 1) != 0 ? -quotient(1.0f, t) : t;
}

// ---- double -----------------------------------------------------------------------------------------------------

CUDALABS_MATH_CALLED Reduced<double> reduce_large(double a) {
  const u64 b = bits(a);
  const u32 exponent = static_cast<u32>(b >> 52) & 0x7FF;
  if (exponent == 0x7FF) return {nan_d(), 0};
  const Reduced<double> r =
      reduce_exactly((b & 0xFFFFFFFFFFFFFull) | 0x10000000000000ull, static_cast<s32>(exponent) - 1075);
  return (b >> 63) != 0 ? Reduced<double>{-r.rest, -r.quarter} : r;
}

constexpr double kLargeAngle = 100000.0;
CUDALABS_MATH Reduced<double> reduce(double a) {
  if (!(absolute(a) <= kLargeAngle)) return reduce_large(a);
  constexpr double kMagic = 0x1.8p52;
  const double t = fma(a, 0x1.45f306dc9c883p-1, kMagic), q = t - kMagic;
  double r = fma(q, -0x1.921fb54442d18p+0, a);
  r = fma(q, -0x1.1a62633145c06p-54, r);
  r = fma(q, -0x1.c1cd129024e08p-107, r);
  return {r, static_cast<s32>(static_cast<u32>(bits(t)))};
}

CUDALABS_MATH double sin_of(Reduced<double> a) {
  const double z = a.rest * a.rest;
  const bool odd = (a.quarter & 1) != 0;
  const double first = odd ? fma(z, -0.5, 1.0) : a.rest;
  const double lost = odd ? fma(z, -0.5, 1.0 - first) : -0.0;
  const double factor = fma(z, odd ? z : a.rest, 0.0);
  const double v = first + fma(factor, sin_cos_polynomial(z, odd), lost);
  return (a.quarter & 2) != 0 ? -v : v;
}
CUDALABS_MATH double sin(double a) { return sin_of(reduce(a)); }
CUDALABS_MATH double cos(double a) {
  const Reduced<double> r = reduce(a);
  return sin_of(Reduced<double>{r.rest, r.quarter + 1});
}
CUDALABS_MATH void sincos(double a, double* s, double* c) {
  const Reduced<double> r = reduce(a);
  *s = sin_of(r);
  *c = sin_of(Reduced<double>{r.rest, r.quarter + 1});
}
CUDALABS_MATH double tan(double a) {
  const Reduced<double> r = reduce(a);
  const double z = r.rest * r.rest;
  const double t = fma(z * r.rest, tan_polynomial(z), r.rest);
  return (r.quarter & 1) != 0 ? -reciprocal(t) : t;
}

// ---- multiples of pi ----------------------------------------------------------------------------------------------

CUDALABS_MATH float times_pi(float r) { return fma(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f); }
CUDALABS_MATH double times_pi(double r) { return fma(r, 0x1.921fb54442d18p+1, r * 0x1.1a62633145c07p-53); }
template <class F>
CUDALABS_MATH Reduced<F> reduce_pi(F x) {
  const F turn = fma(F{-2}, truncated(x * F{0.5}), x);  // the remainder after whole turns
  const F n = rint_of(turn + turn);
  return {times_pi(fma(F{-0.5}, n, turn)), static_cast<s32>(n)};
}
/// A sine that is zero has the sign of its argument, a cosine that is zero has none.
template <class F>
CUDALABS_MATH F sin_of_pi(Reduced<F> r, F x) {
  const F v = sin_of(r);
  return v == F{0} ? with_sign(v, x) : v;
}
template <class F>
CUDALABS_MATH F cos_of_pi(Reduced<F> r) {
  return sin_of(Reduced<F>{r.rest, r.quarter + 1}) + F{0};
}
template <class F>
CUDALABS_MATH F sinpi(F x) {
  return sin_of_pi(reduce_pi(x), x);
}
template <class F>
CUDALABS_MATH F cospi(F x) {
  return cos_of_pi(reduce_pi(x));
}
template <class F>
CUDALABS_MATH void sincospi(F x, F* s, F* c) {
  const Reduced<F> r = reduce_pi(x);
  *s = sin_of_pi(r, x);
  *c = cos_of_pi(r);
}

}  // namespace cudalabs_math
