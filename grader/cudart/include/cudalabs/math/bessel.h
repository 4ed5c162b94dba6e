#pragma once

// Bessel functions in double: a polynomial around each zero, and from 8 on a wave whose height and phase are
// known.

#include "special.h"

namespace cudalabs_math {

CUDALABS_MATH double j0_series(double z) { return fma(z, j0_polynomial(z), 1.0); }
CUDALABS_MATH double j1_series(double z) { return fma(z, j1_polynomial(z), 0.5); }  // without its factor x

/// sqrt(j^2 + y^2) of order 0 or 1, and the angle of (j, y).
struct Wave {
  double height;
  Reduced<double> angle;
};
template <int Order>
CUDALABS_MATH_CALLED Wave bessel_wave(double x) {
  const double r = quotient(1.0, x), w = r * r;
  const double height = sqrt_of(0x1.45f306dc9c883p-1 * r) *
                        (Order == 0 ? bessel_modulus0_polynomial(w) : bessel_modulus1_polynomial(w));
  const double phase =
      fma(r, Order == 0 ? bessel_phase0_polynomial(w) : bessel_phase1_polynomial(w), -0x1.921fb54442d18p-1);
  Reduced<double> a = reduce(x);
  a.rest = a.rest + phase;
  a.quarter -= Order;
  if (a.rest < -0x1.921fb54442d18p-1) {
    a.rest = a.rest + 0x1.921fb54442d18p+0;
    a.quarter -= 1;
  }
  return {height, a};
}
CUDALABS_MATH double across(Wave w) {
  return w.height * sin_of(Reduced<double>{w.angle.rest, w.angle.quarter + 1});
}
CUDALABS_MATH double along(Wave w) { return w.height * sin_of(w.angle); }
/// x minus a zero that is given in two parts.
CUDALABS_MATH double beyond(double x, double zero, double low) { return (x - zero) - low; }

CUDALABS_MATH_CALLED double j0(double x) {
  const double a = absolute(x);
  if (a < 1.6) return j0_series(a * a);
  if (a < 4.0)
    return beyond(a, 0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53) * j0_polynomial0(a - 0x1.33d152e971b4p+1);
  if (a < 8.0)
    return beyond(a, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54) * j0_polynomial1(a - 0x1.6148f5b2c2e45p+2);
  return a == infinity_d() ? 0.0 : across(bessel_wave<0>(a));
}
CUDALABS_MATH_CALLED double j1(double x) {
  const double a = absolute(x);
  double r;
  if (a < 2.5)
    r = a * j1_series(a * a);
  else if (a < 5.4)
    r = beyond(a, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53) * j1_polynomial0(a - 0x1.ea75575af6f09p+1);
  else if (a < 8.0)
    r = beyond(a, 0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54) * j1_polynomial1(a - 0x1.c0ff5f3b4725p+2);
  else
    r = a == infinity_d() ? 0.0 : across(bessel_wave<1>(a));
  return with_sign(1.0, x) < 0.0 ? -r : r;
}
CUDALABS_MATH_CALLED double y0(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity_d() : nan_d();
  if (x >= 0.6 && x < 1.3)
    return beyond(x, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56) * y0_polynomial0(x - 0x1.c982eb8d417eap-1);
  const double z = x * x;
  if (x < 2.2) return fma(0x1.45f306dc9c883p-1 * log(x), j0_series(z), y0_polynomial(z));
  if (x < 5.5)
    return beyond(x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54) * y0_polynomial1(x - 0x1.fa9534d98569cp+1);
  if (x < 8.0)
    return beyond(x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54) * y0_polynomial2(x - 0x1.c581dc4e72103p+2);
  return x == infinity_d() ? 0.0 : along(bessel_wave<0>(x));
}
CUDALABS_MATH_CALLED double y1(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity_d() : nan_d();
  const double z = x * x;
  if (x < 1.6) {
    const double rest = fma(0x1.45f306dc9c883p-1 * log(x), j1_series(z), y1_polynomial(z));
    return fma(x, rest, -quotient(0x1.45f306dc9c883p-1, x));
  }
  if (x < 3.6)
    return beyond(x, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55) * y1_polynomial0(x - 0x1.193bed4dff243p+1);
  if (x < 8.0)
    return beyond(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52) * y1_polynomial1(x - 0x1.5b7fe4e87b02ep+2);
  return x == infinity_d() ? 0.0 : along(bessel_wave<1>(x));
}

/// Orders from 2 on by recurrence: upwards where that is stable, else down from far above, scaled so that j0
/// + 2 j2 + 2 j4 + ... = 1.
CUDALABS_MATH_CALLED double jn(int n, double x) {
  if (n < 0 || x != x) return nan_d();
  if (n == 0) return j0(x);
  if (n == 1) return j1(x);
  const double a = absolute(x);
  if (a == infinity_d() || a == 0.0) return 0.0;
  const double inverse = quotient(2.0, a);
  double r = 0.0;
  if (a > n) {
    double before = j0(a), now = j1(a);
    for (int i = 1; i < n; ++i) {
      const double next = fma(i * inverse, now, -before);
      before = now;
      now = next;
    }
    r = now;
  } else if (a > 1e-3) {
    double after = 0.0, now = 0x1p-1000, total = 0.0;
    for (int i = (n + static_cast<int>(sqrt_of(160.0 * n)) + 20) / 2 * 2; i > 0; --i) {
      // `now` is j of order i.
      if (i == n) r = now;
      if (i % 2 == 0) total = total + now;
      const double next = fma(i * inverse, now, -after);
      after = now;
      now = next;
      if (absolute(now) > 0x1p300) {
        now = now * 0x1p-600;
        after = after * 0x1p-600;
        total = total * 0x1p-600;
        r = r * 0x1p-600;
      }
    }
    r = quotient(r, fma(2.0, total, now));
  } else {
    r = 1.0;
    for (int i = 1; i <= n && r != 0.0; ++i) r = r * quotient(0.5 * a, i);
  }
  return x < 0.0 && n % 2 != 0 ? -r : r;
}
CUDALABS_MATH_CALLED double yn(int n, double x) {
  if (n < 0 || !(x >= 0.0)) return nan_d();
  if (n == 0) return y0(x);
  if (n == 1) return y1(x);
  if (x == 0.0 || x == infinity_d()) return x == 0.0 ? -infinity_d() : 0.0;
  const double inverse = quotient(2.0, x);
  double before = y0(x), now = y1(x);
  for (int i = 1; i < n && now != -infinity_d(); ++i) {
    const double next = fma(i * inverse, now, -before);
    before = now;
    now = next;
  }
  return now;
}

/// exp(a) / sqrt(a) p, where the exponential alone may overflow.
CUDALABS_MATH double grown(double a, double p) {
  if (a > 720.0) return infinity_d();
  const double v = quotient(p, sqrt_of(a));
  return a > 700.0 ? exp(a - 20.0) * (v * 0x1.ceb088b68e804p+28) : exp(a) * v;
}
CUDALABS_MATH_CALLED double cyl_bessel_i0(double x) {
  const double a = absolute(x), z = a * a;
  return a <= 8.0 || x != x ? fma(z, bessel_i0_polynomial(z), 1.0)
                            : grown(a, bessel_i0_far_polynomial(quotient(1.0, a)));
}
CUDALABS_MATH_CALLED double cyl_bessel_i1(double x) {
  const double a = absolute(x), z = a * a;
  const double r = a <= 8.0 || x != x ? a * fma(z, bessel_i1_polynomial(z), 0.5)
                                      : grown(a, bessel_i1_far_polynomial(quotient(1.0, a)));
  return with_sign(r, x);
}

// ---- the floats of this file and the last -----------------------------------------------------------------------------

#define CUDALABS_IN_DOUBLE(name) \
  CUDALABS_MATH float name(float x) { return static_cast<float>(name(static_cast<double>(x))); }
CUDALABS_IN_DOUBLE(cyl_bessel_i0)
CUDALABS_IN_DOUBLE(cyl_bessel_i1)
CUDALABS_IN_DOUBLE(erfc)
CUDALABS_IN_DOUBLE(erfcinv)
CUDALABS_IN_DOUBLE(erfcx)
CUDALABS_IN_DOUBLE(erfinv)
CUDALABS_IN_DOUBLE(j0)
CUDALABS_IN_DOUBLE(j1)
CUDALABS_IN_DOUBLE(lgamma)
CUDALABS_IN_DOUBLE(normcdf)
CUDALABS_IN_DOUBLE(normcdfinv)
CUDALABS_IN_DOUBLE(tgamma)
CUDALABS_IN_DOUBLE(y0)
CUDALABS_IN_DOUBLE(y1)
#undef CUDALABS_IN_DOUBLE
CUDALABS_MATH float jn(int n, float x) { return static_cast<float>(jn(n, static_cast<double>(x))); }
CUDALABS_MATH float yn(int n, float x) { return static_cast<float>(yn(n, static_cast<double>(x))); }

}  // namespace cudalabs_math
