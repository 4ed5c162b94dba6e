// Compiled with the compiler's optimisation, unlike other tests: the bodies are to be what a kernel's would
// be, and the quadruple precision is slow enough.

#include "tests/cuda_math/functions.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "grader/cudart/include/cudalabs/math/bessel.h"
#include "grader/cudart/include/cudalabs/math/exp_log.h"
#include "grader/cudart/include/cudalabs/math/inverse.h"
#include "grader/cudart/include/cudalabs/math/roots.h"
#include "grader/cudart/include/cudalabs/math/rounding.h"
#include "grader/cudart/include/cudalabs/math/special.h"
#include "grader/cudart/include/cudalabs/math/trig.h"

namespace cudalabs::test {
namespace {

using Quad = _Float128;

// ---- what they should be: the C library's, and those that it does not have -------------------------------------------
namespace exact {

const Quad kPi = acosf128(-1);
const Quad kInfinity = HUGE_VAL;
const Quad kNan = std::nan("");

Quad acos(Quad x) { return acosf128(x); }
Quad acosh(Quad x) { return acoshf128(x); }
Quad asin(Quad x) { return asinf128(x); }
Quad asinh(Quad x) { return asinhf128(x); }
Quad atan(Quad x) { return atanf128(x); }
Quad atanh(Quad x) { return atanhf128(x); }
Quad cbrt(Quad x) { return cbrtf128(x); }
Quad ceil(Quad x) { return ceilf128(x); }
Quad cos(Quad x) { return cosf128(x); }
Quad cosh(Quad x) { return coshf128(x); }
Quad erf(Quad x) { return erff128(x); }
Quad erfc(Quad x) { return erfcf128(x); }
Quad exp(Quad x) { return expf128(x); }
Quad exp10(Quad x) { return exp10f128(x); }
Quad exp2(Quad x) { return exp2f128(x); }
Quad expm1(Quad x) { return expm1f128(x); }
Quad fabs(Quad x) { return fabsf128(x); }
Quad floor(Quad x) { return floorf128(x); }
Quad j0(Quad x) { return j0f128(x); }
Quad j1(Quad x) { return j1f128(x); }
Quad log(Quad x) { return logf128(x); }
Quad log10(Quad x) { return log10f128(x); }
Quad log1p(Quad x) { return log1pf128(x); }
Quad log2(Quad x) { return log2f128(x); }
Quad logb(Quad x) { return logbf128(x); }
Quad nearbyint(Quad x) { return nearbyintf128(x); }
Quad rint(Quad x) { return rintf128(x); }
Quad round(Quad x) { return roundf128(x); }
Quad sin(Quad x) { return sinf128(x); }
Quad sinh(Quad x) { return sinhf128(x); }
Quad sqrt(Quad x) { return sqrtf128(x); }
Quad tan(Quad x) { return tanf128(x); }
Quad tanh(Quad x) { return tanhf128(x); }
Quad trunc(Quad x) { return truncf128(x); }
Quad y0(Quad x) { return x < 0 ? kNan : y0f128(x); }
Quad y1(Quad x) { return x < 0 ? kNan : y1f128(x); }
Quad atan2(Quad x, Quad y) { return atan2f128(x, y); }
Quad copysign(Quad x, Quad y) { return copysignf128(x, y); }
Quad fdim(Quad x, Quad y) { return fdimf128(x, y); }
Quad fmod(Quad x, Quad y) { return fmodf128(x, y); }
Quad hypot(Quad x, Quad y) { return hypotf128(x, y); }
Quad pow(Quad x, Quad y) { return powf128(x, y); }
Quad remainder(Quad x, Quad y) { return remainderf128(x, y); }
// CUDA's prefer a number to a NaN, and -0 is less than +0.
Quad fmax(Quad x, Quad y) { return x == y ? (std::signbit(static_cast<double>(x)) ? y : x) : fmaxf128(x, y); }
Quad fmin(Quad x, Quad y) { return x == y ? (std::signbit(static_cast<double>(x)) ? x : y) : fminf128(x, y); }

Quad lgamma(Quad x) {
  int sign = 0;
  return lgammaf128_r(x, &sign);
}
Quad tgamma(Quad x) { return x < 0 && truncf128(x) == x ? kNan : tgammaf128(x); }
Quad rsqrt(Quad x) { return 1 / sqrtf128(x); }
Quad rcbrt(Quad x) { return 1 / cbrtf128(x); }
Quad rhypot(Quad x, Quad y) { return 1 / hypotf128(x, y); }
/// x less whole turns, and then what is left of a quarter.
Quad sinpi(Quad x) {
  const Quad turn = x - 2 * truncf128(x / 2), nearest = rintf128(2 * turn), rest = kPi * (turn - nearest / 2);
  const int quarter = static_cast<int>(nearest) & 3;
  const Quad v = (quarter & 1) != 0 ? cosf128(rest) : sinf128(rest);
  const Quad r = (quarter & 2) != 0 ? -v : v;
  return r == 0 ? copysignf128(0, x) : r;
}
Quad cospi(Quad x) { return sinpi(fabsf128(x) - 2 * truncf128(fabsf128(x) / 2) + Quad{0.5}); }
Quad erfcx(Quad x) {
  if (x < 100) return x < -100 ? kInfinity : expf128(x * x) * erfcf128(x);
  Quad sum = 0, term = 1;
  for (int k = 1; k < 20; ++k) {
    sum += term;
    term *= -(2 * k - 1) / (2 * x * x);
  }
  return sum / (x * sqrtf128(kPi));
}
Quad normcdf(Quad x) { return erfcf128(-x / sqrtf128(2)) / 2; }
/// By Newton's method on log(erfc(x)) = log(q), which is nearly a parabola; q <= 1/2.
Quad erfcinv_of_small(Quad q) {
  Quad x = sqrtf128(-logf128(q));
  for (int k = 0; k < 60; ++k) {
    const Quad e = erfcf128(x), step = (logf128(e) - logf128(q)) * e / (2 / sqrtf128(kPi) * expf128(-x * x));
    x += step;
    if (fabsf128(step) < x * Quad{0x1p-100}) break;
  }
  return x;
}
Quad erfinv_of_small(Quad y) {
  Quad x = y;
  for (int k = 0; k < 60 && y != 0; ++k) {
    const Quad step = (y - erff128(x)) / (2 / sqrtf128(kPi) * expf128(-x * x));
    x += step;
    if (fabsf128(step) < fabsf128(x) * Quad{0x1p-100}) break;
  }
  return x;
}
Quad erfcinv(Quad q) {
  if (!(q >= 0 && q <= 2)) return kNan;
  if (q == 0 || q == 2) return q == 0 ? kInfinity : -kInfinity;
  return q < Quad{0.5}   ? erfcinv_of_small(q)
         : q > Quad{1.5} ? -erfcinv_of_small(2 - q)
                         : erfinv_of_small(1 - q);
}
Quad erfinv(Quad y) {
  if (fabsf128(y) < Quad{0.5}) return erfinv_of_small(y);
  return y < 0 ? -erfcinv(1 + y) : erfcinv(1 - y);
}
Quad normcdfinv(Quad p) { return 0 - sqrtf128(2) * erfcinv(2 * p); }
/// The sum of (x/2)^(2k + order) / (k! (k + order)!).
Quad bessel_i(Quad x, int order) {
  if (!(fabsf128(x) < 800)) return x != x ? x : order == 1 && x < 0 ? -kInfinity : kInfinity;
  const Quad z = x * x / 4;
  Quad term = order == 0 ? 1 : x / 2, sum = 0;
  for (int k = 1; sum + term != sum; ++k) {
    sum += term;
    term *= z / (Quad{1} * k * (k + order));
  }
  return sum == 0 ? x : sum;
}
Quad cyl_bessel_i0(Quad x) { return bessel_i(x, 0); }
Quad cyl_bessel_i1(Quad x) { return bessel_i(x, 1); }

}  // namespace exact

template <class F>
std::vector<MathFunction<F>> make_functions() {
  constexpr bool kFloat = std::is_same_v<F, float>;
  return {
#define ONE(name, of_float, of_double)                                                              \
  {#name, false, kFloat ? of_float : of_double, [](F x, F) -> F { return cudalabs_math::name(x); }, \
   [](F x, F) -> F { return static_cast<F>(exact::name(x)); }},
#define TWO(name, of_float, of_double)                                                                  \
  {#name, true, kFloat ? of_float : of_double, [](F x, F y) -> F { return cudalabs_math::name(x, y); }, \
   [](F x, F y) -> F { return static_cast<F>(exact::name(x, y)); }},
#include "tests/cuda_math/functions.def"
  };
}

}  // namespace

template <class F>
const std::vector<MathFunction<F>>& math_functions() {
  static const std::vector<MathFunction<F>> functions = make_functions<F>();
  return functions;
}
template const std::vector<MathFunction<float>>& math_functions();
template const std::vector<MathFunction<double>>& math_functions();

template <class F>
std::vector<F> math_arguments(std::size_t count) {
  using Limits = std::numeric_limits<F>;
  std::vector<F> arguments;
  for (const F x : {F{0},
                    F{1},
                    F(0.25),
                    F(0.5),
                    F(0.75),
                    F{1.5},
                    F{2},
                    F{3},
                    F{4},
                    F{8},
                    F(1e6),
                    F(3.14159265358979323846),
                    F(0.6),
                    F(1.6),
                    F(0.893576966279167522),
                    F(2.40482555769577277),
                    F(3.83170597020751232),
                    F(2.19714132603101704),
                    F{100000},
                    Limits::max(),
                    Limits::min(),
                    Limits::denorm_min(),
                    Limits::infinity(),
                    Limits::quiet_NaN(),
                    F(88.72),
                    F(-103.9),
                    F(709.78),
                    F(-745.1),
                    F(171.62),
                    F(35),
                    F{16777216},
                    F(4503599627370497.0),
                    F(0x1p-30)}) {
    for (const F y : {x, std::nextafter(x, F{0}), std::nextafter(x, Limits::infinity())}) {
      arguments.push_back(y);
      arguments.push_back(-y);
    }
  }
  std::mt19937_64 random(20);
  while (arguments.size() < count) {
    const std::uint64_t bits = random();
    F any;  // of any exponent
    std::memcpy(&any, &bits, sizeof any);
    arguments.push_back(any == any ? any : Limits::quiet_NaN());
    const F unit = static_cast<F>(std::ldexp(static_cast<double>(random() >> 11), -53));
    arguments.push_back(std::ldexp(unit, static_cast<int>(random() % 30) - 20) *
                        (random() % 2 != 0 ? F{1} : F{-1}));
    arguments.push_back((unit * F{2} - F{1}) * F{10});
  }
  return arguments;
}
template std::vector<float> math_arguments(std::size_t);
template std::vector<double> math_arguments(std::size_t);

template <class F>
double distance(F a, F b) {
  using Int = std::conditional_t<std::is_same_v<F, float>, std::int32_t, std::int64_t>;
  if (a != a || b != b) return a != a && b != b ? 0 : HUGE_VAL;
  if (std::signbit(a) != std::signbit(b)) return HUGE_VAL;
  Int x, y;
  std::memcpy(&x, &a, sizeof a);
  std::memcpy(&y, &b, sizeof b);
  return std::fabs(static_cast<double>(x - y));
}
template double distance(float, float);
template double distance(double, double);

}  // namespace cudalabs::test
