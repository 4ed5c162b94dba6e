#pragma once

// exp, log and pow with their bases.

#include "polynomials.h"

namespace cudalabs_math {

// ---- float: the special-function unit knows 2^x, and log2 only roughly -----------------------------------------------

/// b^x for a base with log2(b) = high + low; low > 0, so that infinity stays infinity. Beyond the exponents
/// of normal numbers the rest of x grows instead, which gives subnormal results and infinity. `bias` is 127,
/// or less by the exponent of a power of 2 that divides the result.
CUDALABS_MATH float exp_of_base(float x, float high, float low, float bias) {
  constexpr float kMagic = 0x1.8p23f;  // adding it to a number below 2^22 puts that number into its last bits
  const float t = most(least(fma(x, high, kMagic + bias), kMagic + 254.0f), kMagic + 1.0f);
  const float rest = fma(x, low, fma(x, high, -(t - (kMagic + bias))));
  return exp2_unit(rest) * from_bits(bits(t) << 23);
}
CUDALABS_MATH float exp(float x) { return exp_of_base(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, 127.0f); }
/// exp(x) / 2
CUDALABS_MATH float half_exp(float x) { return exp_of_base(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, 126.0f); }
CUDALABS_MATH float exp10(float x) { return exp_of_base(x, 0x1.a934fp+1f, 0x1.2f346ep-24f, 127.0f); }
CUDALABS_MATH float exp2(float x) { return exp2_full(x); }

CUDALABS_MATH float expm1(float x) {
  const float n = rint_of(x * 0x1.715476p+0f);
  const float first = fma(n, -0x1.62e43p-1f, x), r = fma(n, 0x1.05c61p-29f, first);
  const float lost = fma(n, 0x1.05c61p-29f, first - r);
  const Pair<float> p = ordered_sum(r, fma(r * r, exp_polynomialf(r), lost));
  const bool largest = n == 128.0f;
  const float scale = power_of_two(static_cast<s32>(largest ? 127.0f : n), float{});
  float v = fma(p.low, scale, fma(p.high, scale, scale - 1.0f));
  v = largest ? v + v : v;
  if (absolute(x) < 0x1p-25f) return x;
  return x > 88.8f ? infinity_f() : x < -25.0f ? -1.0f : v;
}

/// The value of log for arguments without a logarithm: 0, infinity, NaN and negative numbers.
template <class F>
CUDALABS_MATH F log_of_special(F x) {
  const F infinity = static_cast<F>(infinity_f());
  return x == F{0} ? -infinity : x < F{0} ? static_cast<F>(nan_f()) : x + x;
}
CUDALABS_MATH bool has_log(float x) { return bits(x) - 1 < 0x7F7FFFFFu; }
CUDALABS_MATH bool has_log(double x) { return bits(x) - 1 < 0x7FEFFFFFFFFFFFFFull; }

/// x = 2^exponent (1 + f), around 1.
template <class F>
struct Split {
  F exponent, f;
};
CUDALABS_MATH Split<float> split(float x) {
  const bool small = x < 0x1p-126f;
  const u32 b = bits(small ? x * 0x1p23f : x);
  const u32 e = (b - 0x3F2AAAABu) & 0xFF800000u;  // from 2/3 to 4/3
  return {fma(static_cast<float>(static_cast<s32>(e)), 0x1p-23f, small ? -23.0f : 0.0f),
          from_bits(b - e) - 1.0f};
}

CUDALABS_MATH float log(float x) {
  const Split<float> s = split(x);
  const float v = fma(s.f * s.f, log_polynomialf(s.f), s.f);
  const float r = fma(s.exponent, 0x1.62e43p-1f, v);
  return has_log(x) ? r : log_of_special(x);
}
CUDALABS_MATH Pair<float> log_of_mantissa(float f) {
  return ordered_sum(f, rounded_product(rounded_product(f, f), log_polynomialf(f)));
}
CUDALABS_MATH float log2(float x) {
  const Split<float> s = split(x);
  const Pair<float> l = log_of_mantissa(s.f);
  const float rest = fma(l.low, 0x1.715476p+0f, l.high * 0x1.4ae0cp-26f);
  const float r = fma(l.high, 0x1.715476p+0f, s.exponent) + rest;
  return has_log(x) ? r : log_of_special(x);
}
CUDALABS_MATH float log10(float x) {
  const Split<float> s = split(x);
  const Pair<float> l = log_of_mantissa(s.f);
  const float rest = fma(l.low, 0x1.bcb7b2p-2f, l.high * -0x1.5b235ep-27f);
  // 16 bits of log10(2), so that its product with the exponent is exact.
  const float whole = s.exponent * 0x1.344p-2f;
  const float r = fma(l.high, 0x1.bcb7b2p-2f, whole) + fma(s.exponent, 0x1.3509f8p-18f, rest);
  return has_log(x) ? r : log_of_special(x);
}
CUDALABS_MATH float log1p(float x) {
  // log(1 + x) = log(u) + log(1 + c/u), where u is 1 + x rounded, and c the rounding error.
  const float u = x + 1.0f;
  const float lost = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
  const u32 e = (bits(u) - 0x3F2AAAABu) & 0xFF800000u;
  const float scale = x < 0x1p30f ? from_bits(0x3F800000u - e) : 0.0f;  // 2^-exponent, if that matters
  const float f = fma(lost, scale, from_bits(bits(u) - e) - 1.0f);
  const float v = fma(f * f, log_polynomialf(f), f);
  const float r = fma(static_cast<float>(static_cast<s32>(e)) * 0x1p-23f, 0x1.62e43p-1f, v);
  if (absolute(x) < 0x1p-25f) return x;
  return has_log(u) ? r : log_of_special(u);
}

/// |x|^y of float, for an |x| that is neither 0 nor infinite.
CUDALABS_MATH float power_of_magnitude(float x, float y) {
  const Split<float> s = split(x);
  // log(1 + f) = 2 a + ..., a = f / (2 + f)
  const float g = s.f + 2.0f, g_low = s.f - (g - 2.0f), r = reciprocal_unit(g);
  const float a = rounded_product(s.f, r);
  const float a_low = r * fma(-a, g_low, fma(-a, g, s.f));
  const float w = a * a;
  const Pair<float> l = ordered_sum(a + a, fma(a * w, log_tail_polynomialf(w), a_low + a_low));
  const Pair<float> l2 = exact_product(l.high, 0x1.715476p+0f);
  const float l2_low = fma(l.high, 0x1.4ae0cp-26f, fma(l.low, 0x1.715476p+0f, l2.low));
  const Pair<float> whole = ordered_sum(s.exponent, l2.high);
  const Pair<float> logarithm = ordered_sum(whole.high, whole.low + l2_low);
  const float bound = 0x1p40f, power = most(least(y, bound), -bound);
  const float p = rounded_product(logarithm.high, power);
  const float p_low = fma(logarithm.low, power, fma(logarithm.high, power, -p));
  const float n = most(least(rint_of(p), 127.0f), -126.0f);
  // Beyond these bounds only the fact that the rest is large matters.
  const float rest = most(least((p - n) + p_low, 256.0f), -256.0f);
  return exp2_unit(rest) * power_of_two(static_cast<s32>(n), float{});
}

// ---- double -------------------------------------------------------------------------------------------------------

/// p * 2^n for p around 1, with one rounding.
CUDALABS_MATH double scaled(double p, s32 n) {
  if (static_cast<u32>(n + 1020) < 2040u)
    return from_bits(bits(p) + (static_cast<u64>(static_cast<u32>(n)) << 52));
  const s32 bounded = n > 2100 ? 2100 : n < -2100 ? -2100 : n, half = bounded / 3;
  const double step = power_of_two(half, double{});
  // Multiplies by the largest step first: only the last product may round.
  return p * power_of_two(bounded - 2 * half, double{}) * step * step;
}

/// x = r + n log(2).
struct Exponential {
  double r;
  s32 n;
};
CUDALABS_MATH Exponential exp_reduce(double x) {
  constexpr double kMagic = 0x1.8p52;
  const double bounded = most(least(x, 1000.0), -1000.0);
  const double t = fma(bounded, 0x1.71547652b82fep+0, kMagic), n = t - kMagic;
  return {fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, bounded)),
          static_cast<s32>(static_cast<u32>(bits(t)))};
}
CUDALABS_MATH double exp_of_rest(double r) { return fma(fma(exp_polynomial(r), r, 1.0), r, 1.0); }
CUDALABS_MATH double exp(double x) {
  const Exponential e = exp_reduce(x);
  const double v = scaled(exp_of_rest(e.r), e.n);
  return x == x ? v : x;
}
CUDALABS_MATH double exp_of_pair(double x, double low) {
  const Exponential e = exp_reduce(x);
  // exp(r + low) = exp(r) + exp(r) low: the second term is as small as a rounding.
  const double r = e.r + low, lost = low - (r - e.r);
  const double tail = fma(r * r, exp_polynomial(r), lost);
  return scaled(1.0 + (r + tail), e.n);
}
CUDALABS_MATH double exp2(double x) {
  const double bounded = most(least(x, 1200.0), -1200.0), n = rint_of(bounded), f = bounded - n;
  const double r = rounded_product(f, 0x1.62e42fefa39efp-1),
               low = fma(f, 0x1.abc9e3b39803fp-56, fma(f, 0x1.62e42fefa39efp-1, -r));
  const double v = scaled(1.0 + fma(r * r, exp_polynomial(r), r + low), static_cast<s32>(n));
  return x == x ? v : x;
}
CUDALABS_MATH double exp10(double x) {
  const double bounded = most(least(x, 400.0), -400.0), n = rint_of(bounded * 0x1.a934f0979a371p+1);
  const double f = fma(n, 0x1.9dc1da994fd21p-59, fma(n, -0x1.34413509f79ffp-2, bounded));
  const double r = rounded_product(f, 0x1.26bb1bbb55516p+1),
               low = fma(f, -0x1.f48ad494ea3e9p-53, fma(f, 0x1.26bb1bbb55516p+1, -r));
  const double v = scaled(1.0 + fma(r * r, exp_polynomial(r), r + low), static_cast<s32>(n));
  return x == x ? v : x;
}
CUDALABS_MATH double half_exp(double x) {
  const Exponential e = exp_reduce(x);
  const double v = scaled(exp_of_rest(e.r), e.n - 1);
  return x == x ? v : x;
}
/// exp(x) - 1 for -40 < x < 700.
CUDALABS_MATH double expm1_of_bounded(double x) {
  constexpr double kMagic = 0x1.8p52;
  const double t = fma(x, 0x1.71547652b82fep+0, kMagic), n = t - kMagic;
  const double first = fma(n, -0x1.62e42fefa39efp-1, x), r = fma(n, -0x1.abc9e3b39803fp-56, first);
  const double lost = fma(n, -0x1.abc9e3b39803fp-56, first - r);
  const Pair<double> p = ordered_sum(r, fma(r * r, exp_polynomial(r), lost));
  const double scale = power_of_two(static_cast<s32>(static_cast<u32>(bits(t))), double{});
  const Pair<double> whole = exact_sum(p.high * scale, scale - 1.0);
  return whole.high + fma(p.low, scale, whole.low);
}
CUDALABS_MATH double expm1(double x) {
  if (absolute(x) < 0x1p-54) return x;
  if (!(x > -40.0)) return x != x ? x : -1.0;
  if (x > 700.0) return exp(x);
  return expm1_of_bounded(x);
}

CUDALABS_MATH Split<double> split(double x) {
  const bool small = x < 0x1p-1022;
  const u64 b = bits(small ? x * 0x1p54 : x);
  const u32 e = (static_cast<u32>(b >> 32) - 0x3FE6A09Eu) & 0xFFF00000u;  // from sqrt(1/2) to sqrt(2)
  const s32 exponent = (static_cast<s32>(e) >> 20) - (small ? 54 : 0);
  return {static_cast<double>(exponent), from_bits(b - (static_cast<u64>(e) << 32)) - 1.0};
}

/// log(1 + f) - f, for f from sqrt(1/2) - 1 to sqrt(2) - 1.
CUDALABS_MATH double log_less_f(double f) {
  const double s = f * reciprocal(f + 2.0), w = s * s;
  return rounded_product(s, fma(w, log_polynomial(w), -f));  // 2s = f - s f
}
CUDALABS_MATH double log_of_parts(double f, double exponent, double f_low) {
  const double t = log_less_f(f);
  return fma(exponent, 0x1.62e42fefa39efp-1, f + (t + fma(exponent, 0x1.abc9e3b39803fp-56, f_low)));
}
CUDALABS_MATH double log(double x) {
  const Split<double> s = split(x);
  return has_log(x) ? log_of_parts(s.f, s.exponent, 0.0) : log_of_special(x);
}
CUDALABS_MATH double log2(double x) {
  const Split<double> s = split(x);
  const Pair<double> l = ordered_sum(s.f, log_less_f(s.f));
  const Pair<double> p = exact_product(l.high, 0x1.71547652b82fep+0);
  const double low = fma(l.low, 0x1.71547652b82fep+0, fma(l.high, 0x1.777d0ffda0d24p-56, p.low));
  const Pair<double> r = ordered_sum(s.exponent, p.high);
  return has_log(x) ? r.high + (r.low + low) : log_of_special(x);
}
CUDALABS_MATH double log10(double x) {
  const Split<double> s = split(x);
  const Pair<double> l = ordered_sum(s.f, log_less_f(s.f));
  const Pair<double> p = exact_product(l.high, 0x1.bcb7b1526e50ep-2);
  const double low = fma(l.low, 0x1.bcb7b1526e50ep-2, fma(l.high, 0x1.95355baaafad3p-57, p.low));
  // 30 bits of log10(2), so that its product with the exponent is exact.
  const Pair<double> r = exact_sum(s.exponent * 0x1.34413508p-2, p.high);
  return has_log(x) ? r.high + (r.low + fma(s.exponent, 0x1.f79fef311f12bp-34, low)) : log_of_special(x);
}
CUDALABS_MATH double log1p(double x) {
  const double u = x + 1.0;
  const double lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  if (absolute(x) < 0x1p-54) return x;
  if (!has_log(u)) return log_of_special(u);
  const Split<double> s = split(u);
  const double scale = power_of_two(-static_cast<s32>(s.exponent), double{});
  const double c = lost * scale;
  // log(1 + f + c) = log(1 + f) + c/(1 + f)
  return log_of_parts(s.f, s.exponent, s.exponent == 1024.0 ? 0.0 : c * reciprocal(1.0 + s.f));
}

/// log(x) to about 65 bits.
CUDALABS_MATH Pair<double> log_as_pair(double x) {
  const Split<double> s = split(x);
  const double g = s.f + 2.0, g_low = s.f - (g - 2.0), r = reciprocal(g);
  const double a = rounded_product(s.f, r);
  const double a_low = r * fma(-a, g_low, fma(-a, g, s.f));
  const double w = a * a, w_low = fma(a, a_low + a_low, fma(a, a, -w));
  // log(1 + f) = 2 a + 2/3 a w + a w^2 P(w)
  const Pair<double> cube = product(Pair<double>{a, a_low}, Pair<double>{w, w_low});
  const Pair<double> third = product(cube, Pair<double>{0x1.5555555555555p-1, 0x1.5555555555555p-55});
  const Pair<double> first = ordered_sum(a + a, third.high);
  const double rest = fma(cube.high * w, log_tail_polynomial(w), third.low + (a_low + a_low));
  const Pair<double> l = ordered_sum(first.high, first.low + rest);
  // 42 bits of log(2), so that its product with the exponent is exact.
  const Pair<double> whole = exact_sum(s.exponent * 0x1.62e42fefa38p-1, l.high);
  return ordered_sum(whole.high, whole.low + fma(s.exponent, 0x1.ef35793c7673p-45, l.low));
}
CUDALABS_MATH_CALLED double power_of_magnitude(double x, double y) {
  const Pair<double> l = log_as_pair(x);
  const double bound = 0x1p70, power = most(least(y, bound), -bound);
  const double p = rounded_product(l.high, power);
  const double p_low = fma(l.low, power, fma(l.high, power, -p));
  return exp_of_pair(p, absolute(p) < 1000.0 ? p_low : 0.0);
}

// ---- both ---------------------------------------------------------------------------------------------------------

template <class F>
CUDALABS_MATH F pow(F x, F y) {
  const F infinity = static_cast<F>(infinity_f()), magnitude = absolute(x);
  const bool whole = truncated(y) == y, odd = whole && truncated(y * F{0.5}) * F{2} != y;
  F r;
  if (magnitude == F{0} || magnitude == infinity) {
    r = (magnitude == F{0}) == (y < F{0}) ? infinity : F{0};
  } else if (absolute(y) == infinity) {
    r = magnitude == F{1} ? F{1} : (magnitude > F{1}) == (y > F{0}) ? infinity : F{0};
  } else {
    r = power_of_magnitude(magnitude, y);
    if (x < F{0} && !whole) r = static_cast<F>(nan_f());
  }
  if (odd) r = with_sign(r, x);
  if (x != x || y != y) r = x + y;
  return x == F{1} || y == F{0} ? F{1} : r;
}

}  // namespace cudalabs_math
