#pragma once

// The inverse trigonometric functions, the hyperbolic ones and their inverses.

#include "exp_log.h"

namespace cudalabs_math {

// pi/2 in two parts.
CUDALABS_MATH Pair<float> half_pi(float) { return {0x1.921fb6p+0f, -0x1.777a5cp-25f}; }
CUDALABS_MATH Pair<double> half_pi(double) { return {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}; }

CUDALABS_MATH float atan_of_unit(float r) {
  const float z = r * r;
  return fma(z * r, atan_polynomialf(z), r);
}
CUDALABS_MATH double atan_of_unit(double r) {
  const double z = r * r;
  return fma(z * r, atan_polynomial(z), r);
}
template <class F>
CUDALABS_MATH F atan(F x) {
  const F a = absolute(x);
  const bool large = a > F{1};
  const F p = atan_of_unit(large ? quotient(F{1}, a) : a);
  const Pair<F> right = half_pi(F{});
  return with_sign(large ? right.high - (p - right.low) : p, x);
}
template <class F>
CUDALABS_MATH F atan2(F y, F x) {
  const F ax = absolute(x), ay = absolute(y), small = least(ax, ay), large = most(ax, ay);
  const F p = atan_of_unit(large == F{0} ? F{0} : small == large ? F{1} : quotient(small, large));
  const Pair<F> right = half_pi(F{});
  // Measured from the nearer axis, and from the other end of the circle if x is negative.
  F r = p;
  if (ay > ax)
    r = with_sign(F{1}, x) < F{0} ? right.high + (p + right.low) : right.high - (p - right.low);
  else if (with_sign(F{1}, x) < F{0})
    r = F{2} * right.high - (p - F{2} * right.low);
  return x != x || y != y ? x + y : with_sign(r, y);
}

/// asin(s) - s + sum, where z = s^2 <= 1/4.
CUDALABS_MATH float asin_tail(float s, float z, float sum) { return fma(s * z, asin_polynomialf(z), sum); }
CUDALABS_MATH double asin_tail(double s, double z, double sum) { return fma(s * z, asin_polynomial(z), sum); }

/// asin(sqrt(z)) for 0 <= z <= 1/4, as the root and a correction to add.
template <class F>
CUDALABS_MATH Pair<F> asin_of_root(F z) {
  const F s = sqrt_of(z);
  const F lost = z > F{0} ? fma(-s, s, z) * (F{0.5} * reciprocal_unit(s)) : F{0};
  return {s, asin_tail(s, z, lost)};
}
template <class F>
CUDALABS_MATH F asin(F x) {
  const F a = absolute(x);
  const Pair<F> right = half_pi(F{});
  F r;
  if (a > F{0.5}) {
    const Pair<F> p = asin_of_root(fma(F{-0.5}, a, F{0.5}));
    r = (right.high - F{2} * p.high) + fma(F{-2}, p.low, right.low);
  } else {
    r = asin_tail(a, a * a, a);
  }
  return with_sign(r, x);
}
template <class F>
CUDALABS_MATH F acos(F x) {
  const F a = absolute(x);
  const Pair<F> right = half_pi(F{});
  if (a > F{0.5}) {
    const Pair<F> p = asin_of_root(fma(F{-0.5}, a, F{0.5}));
    const F twice = F{2} * p.high;
    return x > F{0} ? fma(F{2}, p.low, twice) : (F{2} * right.high - twice) + F{2} * (right.low - p.low);
  }
  return right.high - (x + asin_tail(x, x * x, -right.low));
}

// ---- hyperbolic -----------------------------------------------------------------------------------------------------

CUDALABS_MATH float sinh(float x) {
  const float a = absolute(x);
  const float e = half_exp(a), large = fma(reciprocal_unit(e), -0.25f, e);
  const float z = a * a, small = fma(z * a, sinh_polynomialf(z), a);
  return with_sign(a < 1.0f ? small : large, x);
}
CUDALABS_MATH float cosh(float x) {
  const float e = half_exp(absolute(x));
  return fma(reciprocal_unit(e), 0.25f, e);
}
CUDALABS_MATH float tanh(float x) {
  const float a = absolute(x), z = x * x;
  const float large = fma(reciprocal_unit(exp(a + a) + 1.0f), -2.0f, 1.0f);
  const float small = fma(fma(z, x, 0.0f), tanh_polynomialf(z), x);  // the factor is never -0, as in sin
  return a < 0.6f ? small : with_sign(large, x);
}
CUDALABS_MATH double sinh(double x) {
  const double a = absolute(x);
  if (a < 1.0) {
    const double z = a * a;
    return with_sign(fma(z * a, sinh_polynomial(z), a), x);
  }
  const double e = half_exp(a);
  return with_sign(e < 0x1p60 ? e - quotient(0.25, e) : e, x);
}
CUDALABS_MATH double cosh(double x) {
  const double e = half_exp(absolute(x));
  return e + (e < 0x1p60 ? quotient(0.25, e) : 0.0);
}
CUDALABS_MATH double tanh(double x) {
  const double a = absolute(x);
  if (!(a >= 0.6)) {
    const double z = x * x;
    return fma(fma(z, x, 0.0), tanh_polynomial(z), x);
  }
  const double t = expm1(least(a, 30.0) * 2.0);
  return with_sign(quotient(t, t + 2.0), x);
}

template <class F>
CUDALABS_MATH F log_of_twice(F a) {
  return log(a) + F(0x1.62e42fefa39efp-1);
}
template <class F>
CUDALABS_MATH F asinh(F x) {
  const F a = absolute(x);
  if (a > F{0x1p28}) return with_sign(log_of_twice(a), x);
  return with_sign(log1p(a + quotient(a * a, F{1} + sqrt_of(fma(a, a, F{1})))), x);
}
template <class F>
CUDALABS_MATH F acosh(F x) {
  if (x > F{0x1p28}) return log_of_twice(x);
  const F t = x - F{1};
  return x < F{1} ? static_cast<F>(nan_f()) : log1p(t + sqrt_of(fma(t, t, t + t)));
}
template <class F>
CUDALABS_MATH F atanh(F x) {
  const F a = absolute(x);
  const F v = F{0.5} * log1p(quotient(a + a, F{1} - a));
  return a > F{1} ? static_cast<F>(nan_f()) : with_sign(v, x);
}

}  // namespace cudalabs_math
