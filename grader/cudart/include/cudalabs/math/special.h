#pragma once

// The error function and related functions, and the gamma function. Float versions compute in double unless
// stated otherwise.

#include "inverse.h"
#include "trig.h"

namespace cudalabs_math {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0, kHalfRootPi = 0x1.c5bf891b4ef6bp-1;

CUDALABS_MATH float erf(float x) {
  const float a = absolute(x), z = x * x, b = least(a, 4.0f);
  const float large = 1.0f - exp2_unit(b * erf_log_polynomialf(b));
  const float small = fma(x, erf_polynomialf(z), x);
  return x != x ? x : a < 1.0f ? small : with_sign(large, x);
}

/// exp(x^2) erfc(x) for x >= 0.47.
CUDALABS_MATH double erfcx_of_large(double x) {
  const double bounded = least(x, 0x1p200), t = quotient(bounded - 4.0, bounded + 4.0);
  return x > 0x1p100 ? quotient(0.5 * kTwoOverRootPi, x) : quotient(erfcx_polynomial(t), fma(2.0, x, 1.0));
}
/// exp(-x^2) for x + low.
CUDALABS_MATH double exp_of_square(double x, double low, double sign) {
  const double bounded = least(absolute(x), 50.0);
  const Pair<double> square = exact_product(bounded, bounded);
  return exp_of_pair(sign * square.high, sign * fma(bounded + bounded, low, square.low));
}
CUDALABS_MATH double erf_of_small(double x) { return fma(x, erf_polynomial(x * x), x); }
/// erfc(x + low) for a low that makes a difference in large x only.
CUDALABS_MATH_CALLED double erfc_of_pair(double x, double low) {
  const double a = absolute(x);
  if (a < 0.5) return 1.0 - erf_of_small(x);
  if (x != x) return x;
  const double e = exp_of_square(a, x < 0.0 ? -low : low, -1.0), c = erfcx_of_large(a);
  return x < 0.0 ? fma(-e, c, 2.0) : e * c;
}
CUDALABS_MATH double erfc(double x) { return erfc_of_pair(x, 0.0); }
CUDALABS_MATH double erf(double x) {
  const double a = absolute(x);
  return a < 1.0 || x != x ? erf_of_small(x) : with_sign(1.0 - erfc_of_pair(a, 0.0), x);
}
CUDALABS_MATH double erfcx(double x) {
  if (absolute(x) < 0.5) return exp_of_square(x, 0.0, 1.0) * (1.0 - erf_of_small(x));
  if (x != x) return x;
  const double v = erfcx_of_large(absolute(x));
  return x > 0.0 ? v : fma(2.0, exp_of_square(x, 0.0, 1.0), -v);
}
CUDALABS_MATH double normcdf(double x) {
  const double bounded = most(least(x, 60.0), -60.0);
  const double u = -bounded * 0x1.6a09e667f3bcdp-1;
  const double low = fma(-bounded, -0x1.bdd3413b26456p-55, fma(-bounded, 0x1.6a09e667f3bcdp-1, -u));
  return x != x ? x : 0.5 * erfc_of_pair(u, low);
}

/// The x of erf(x) = y, |y| <= 1/2: an initial guess, and one Newton step.
CUDALABS_MATH_CALLED double erfinv_of_small(double y) {
  const double x = y * erfinv_polynomial(y * y);
  const double error = erf_of_small(x) - y;
  return fma(-error, kHalfRootPi * exp(x * x), x);
}
/// The x of erfc(x) = q, q <= 1/2: x^2 - log(erfcx(x)) + log(q) = 0, by one Halley step.
CUDALABS_MATH_CALLED double erfcinv_of_small(double q) {
  const double l = log(q), s = sqrt_of(-2.0 * l);
  const double x =
      s < 4.2 ? erfcinv_near_polynomial(s) : rounded_product(s, erfcinv_far_polynomial(quotient(1.0, s)));
  const double c = erfcx_of_large(x);
  const double error = fma(x, x, l - log(c)), step = error * c * kHalfRootPi;
  const double bend = quotient(kTwoOverRootPi, c) - 2.0 * x;
  return x - quotient(step, fma(-0.5 * step, bend, 1.0));
}
CUDALABS_MATH double erfinv(double y) {
  const double a = absolute(y);
  if (a <= 0.5) return erfinv_of_small(y);
  if (a == 1.0) return with_sign(infinity_d(), y);
  return a < 1.0 ? with_sign(erfcinv_of_small(1.0 - a), y) : nan_d();
}
CUDALABS_MATH double erfcinv(double q) {
  if (q >= 0.5 && q <= 1.5) return erfinv_of_small(1.0 - q);
  const double small = q < 1.0 ? q : 2.0 - q;
  if (small == 0.0) return with_sign(infinity_d(), 1.0 - q);
  return small > 0.0 ? with_sign(erfcinv_of_small(small), 1.0 - q) : nan_d();
}
CUDALABS_MATH double normcdfinv(double p) {
  const double v = p <= 0.25  ? -erfcinv(p + p)
                   : p < 0.75 ? erfinv_of_small(fma(2.0, p, -1.0))
                              : erfcinv(2.0 - (p + p));
  return v * 0x1.6a09e667f3bcdp+0;
}

// ---- gamma ----------------------------------------------------------------------------------------------------------

/// Adds the remainder of log(gamma(x)) after (x - 1/2) log(x) - x + log(2 pi)/2, x >= 8.
CUDALABS_MATH double add_stirling_rest(double x, double sum) {
  const double r = quotient(1.0, x);
  return fma(r, stirling_polynomial(r * r), sum);
}
/// gamma(x) for 0 < x < 8, where 1/gamma is known from 1 to 2; or its reciprocal times e^-shift for x >= 8.
CUDALABS_MATH_CALLED double gamma_of_small(double x) {
  if (x < 1.0) return quotient(1.0, x * rgamma_polynomial(x - 0.5));
  double product = 1.0;
  while (x >= 2.0) {
    x -= 1.0;
    product = product * x;
  }
  return quotient(product, rgamma_polynomial(x - 1.5));
}
/// gamma(x)^sign e^shift for x >= 8.
CUDALABS_MATH_CALLED double gamma_of_large(double x, double sign, double shift) {
  const Pair<double> l = log_as_pair(x), p = product(Pair<double>{x - 0.5, 0.0}, l);
  const Pair<double> less = exact_sum(p.high, -x), with = exact_sum(less.high, 0x1.d67f1c864beb5p-1);
  const double low = p.low + less.low + (with.low + (add_stirling_rest(x, -0x1.65b5a1b7ff5dfp-55)));
  const Pair<double> all = exact_sum(with.high * sign, shift);
  return exp_of_pair(all.high, fma(low, sign, all.low));
}
CUDALABS_MATH double tgamma(double x) {
  if (x != x || x == infinity_d()) return x;
  if (x == 0.0) return quotient(1.0, x);
  if (x > 0.0) return x < 8.0 ? gamma_of_small(x) : gamma_of_large(least(x, 200.0), 1.0, 0.0);
  if (truncated(x) == x) return nan_d();
  // Reflection: gamma(x) gamma(-x) = -pi / (x sin(pi x))
  const double a = -x, s = x * sinpi(x);
  if (a < 8.0) return a < 0x1p-60 ? quotient(1.0, x) : quotient(-0x1.921fb54442d18p+1, s * gamma_of_small(a));
  if (a > 190.0) return with_sign(0.0, s) * -1.0;
  const double e64 = 0x1.969d47321e4ccp-93;  // e^-64: keeps nearly subnormal numbers exact
  const double inverse = gamma_of_large(a, -1.0, a > 140.0 ? 64.0 : 0.0);
  const double r = quotient(-0x1.921fb54442d18p+1, s) * inverse;
  return a > 140.0 ? r * e64 : r;
}
/// log(gamma(x)) for x > 0.
CUDALABS_MATH_CALLED double lgamma_of_positive(double x) {
  if (x < 0.5) return fma(x, lgamma_polynomial(x), -log(x * (x + 1.0)));
  if (x < 1.5) return fma(x - 1.0, lgamma_polynomial(x - 1.0), -log(x));
  if (x < 8.0) {
    double product = 1.0;
    while (x > 2.5) {
      x -= 1.0;
      product = product * x;
    }
    return fma(x - 2.0, lgamma_polynomial(x - 2.0), product == 1.0 ? 0.0 : log(product));
  }
  if (x > 0x1p60) return x * (log(x) - 1.0);
  return fma(x - 0.5, log(x) - 1.0, add_stirling_rest(x, 0x1.acfe390c97d69p-2));
}
CUDALABS_MATH double lgamma(double x) {
  const double a = absolute(x);
  if (x != x) return x;
  if (a == infinity_d()) return a;
  if (x > 0.0) return lgamma_of_positive(x);
  if (truncated(x) == x) return infinity_d();
  if (a < 0x1p-50) return -log(a);
  return log(quotient(0x1.921fb54442d18p+1, absolute(x * sinpi(x)))) - lgamma_of_positive(a);
}

}  // namespace cudalabs_math
