// The device's math functions, compiled from the same headers by the host's compiler: every result is within
// the bounds of CUDA's documentation (functions.def). on_device_test.cpp checks that the device's results
// have the same bits.

#include <cmath>
#include <cstdint>

#include "grader/cudart/include/cudalabs/math/bessel.h"
#include "grader/cudart/include/cudalabs/math/roots.h"
#include "grader/cudart/include/cudalabs/math/rounding.h"
#include "tests/cuda_math/functions.h"
#include "tests/harness/catch.h"

namespace {

using cudalabs::test::distance;
using cudalabs::test::math_arguments;

template <class F>
constexpr bool kIsFloat = std::is_same_v<F, float>;

/// Above 8 the guide gives the absolute error of Bessel functions.
template <class F>
double bessel_distance(F made, F expected) {
  if (made != made || expected != expected) return distance(made, expected);
  return std::fabs(double{made} - double{expected}) <= (kIsFloat<F> ? 2.2e-6 : 5e-12) ? 0 : HUGE_VAL;
}

template <class F>
double distance_of(std::string_view function, F x, F made, F expected) {
  const bool bessel = function == "j0" || function == "j1" || function == "y0" || function == "y1";
  if (bessel && std::fabs(x) >= F{8}) return bessel_distance(made, expected);
  if (function == "lgamma" && x > (kIsFloat<F> ? F(-10.001) : F(-11.0001)) &&
      x < (kIsFloat<F> ? F(-2.264) : F(-2.2637)))
    return made == expected || std::fabs(double{made} - double{expected}) < (kIsFloat<F> ? 1e-5 : 1e-13)
               ? 0
               : HUGE_VAL;
  return distance(made, expected);
}

template <class F>
void check_functions() {
  const std::vector<F> arguments = math_arguments<F>(12000);
  for (const auto& function : cudalabs::test::math_functions<F>()) {
    double worst = 0;
    F first{}, second{};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const F x = arguments[i], y = arguments[(i * 7919 + 13) % arguments.size()];
      const double d = distance_of(function.name, x, function.made(x, y), function.expected(x, y));
      if (d <= worst) continue;
      worst = d;
      first = x;
      second = y;
    }
    INFO(function.name << (kIsFloat<F> ? " of float" : " of double") << " at " << double{first} << ", "
                       << double{second} << ": " << double{function.made(first, second)} << ", not "
                       << double{function.expected(first, second)});
    CHECK(worst <= function.bound);
  }
}

template <class F>
void check_whole_parts() {
  namespace m = cudalabs_math;
  for (const F x : math_arguments<F>(2000)) {
    INFO(double{x});
    int made = 0, expected = 0;
    REQUIRE(distance(m::frexp(x, &made), std::frexp(x, &expected)) == 0);
    if (std::isfinite(x)) REQUIRE(made == expected);
    // For values without an exponent C libraries return different numbers, and CUDA returns this one.
    REQUIRE(m::ilogb(x) == (x == 0 || std::isnan(x) ? std::numeric_limits<int>::min() : std::ilogb(x)));
    F whole{}, wanted{};
    REQUIRE(distance(m::modf(x, &whole), std::modf(x, &wanted)) == 0);
    REQUIRE(distance(whole, wanted) == 0);
    for (const int n :
         {0, 1, -1, 30, -30, 140, -140, 1000, -1000, 2100, -2100, 2147483647, -2147483647 - 1}) {
      REQUIRE(distance(m::scalbn(x, n), std::scalbn(x, n)) == 0);
      REQUIRE(distance(m::scalbln(x, long{n} * 3), std::scalbln(x, long{n} * 3)) == 0);
    }
    for (const F y : {F{3}, F(-0.1), F(1e-300), F(1e30), F{0}, std::numeric_limits<F>::infinity(),
                      std::numeric_limits<F>::quiet_NaN(), x, x * F(0.5)}) {
      REQUIRE(distance(m::nextafter(x, F(y)), std::nextafter(x, F(y))) == 0);
      REQUIRE(distance(m::remquo(x, F(y), &made), std::remquo(x, F(y), &expected)) == 0);
      if (std::isfinite(x) && y != 0 && y == y) REQUIRE((made & 7) == (expected & 7));
    }
    F s{}, c{};
    m::sincos(x, &s, &c);
    REQUIRE(distance(s, m::sin(x)) + distance(c, m::cos(x)) == 0);
    m::sincospi(x, &s, &c);
    REQUIRE(distance(s, m::sinpi(x)) + distance(c, m::cospi(x)) == 0);
  }
}

template <class F>
void check_lengths() {
  namespace m = cudalabs_math;
  const std::vector<F> arguments = math_arguments<F>(3000);
  const auto at = [&](std::size_t i) { return arguments[i % arguments.size()]; };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const F v[] = {at(i), at(i + 3), at(i + 6), at(i + 9)};
    INFO(double{v[0]} << " " << double{v[1]} << " " << double{v[2]} << " " << double{v[3]});
    using Long = long double;
    const Long three = std::hypot(std::hypot(Long{v[0]}, Long{v[1]}), Long{v[2]}),
               four = std::hypot(three, Long{v[3]});
    // CUDA C++ Programming Guide: 3 and 2 (float), 2 and 1 (double).
    REQUIRE(distance(m::norm3d(v[0], v[1], v[2]), static_cast<F>(three)) <= (kIsFloat<F> ? 3 : 2));
    REQUIRE(distance(m::norm4d(v[0], v[1], v[2], v[3]), static_cast<F>(four)) <= (kIsFloat<F> ? 3 : 2));
    REQUIRE(distance(m::rnorm3d(v[0], v[1], v[2]), static_cast<F>(1 / three)) <= (kIsFloat<F> ? 2 : 1));
    REQUIRE(distance(m::rnorm4d(v[0], v[1], v[2], v[3]), static_cast<F>(1 / four)) <= (kIsFloat<F> ? 2 : 1));
    REQUIRE(distance(m::norm(4, v), static_cast<F>(four)) <= (kIsFloat<F> ? 4 : 3));
    REQUIRE(distance(m::rnorm(4, v), static_cast<F>(1 / four)) <= (kIsFloat<F> ? 3 : 2));
  }
}

template <class F>
void check_bessel_orders() {
  for (const F x : math_arguments<F>(600)) {
    for (const int n : {0, 1, 2, 3, 7, 31, 128}) {
      INFO(n << " " << double{x});
      if (std::fabs(x) > F{1e5}) continue;  // the C library's own recurrences are less accurate there
      REQUIRE(bessel_distance(cudalabs_math::jn(n, x), static_cast<F>(::jnl(n, x))) == 0);
      if (x > F(1.5) * F(n) && x > 0)
        REQUIRE(bessel_distance(cudalabs_math::yn(n, x), static_cast<F>(::ynl(n, x))) == 0);
    }
  }
  CHECK(std::isnan(cudalabs_math::jn(-1, F{1})));
  CHECK(std::isnan(cudalabs_math::yn(2, F{-1})));
  CHECK(cudalabs_math::yn(3, F{0}) == -std::numeric_limits<F>::infinity());
}

}  // namespace

TEST_CASE("math functions of float are within CUDA's bounds", "[accuracy]") { check_functions<float>(); }
TEST_CASE("math functions of double are within CUDA's bounds", "[accuracy]") { check_functions<double>(); }

TEST_CASE("parts of numbers and remainders are exact", "[accuracy]") {
  check_whole_parts<float>();
  check_whole_parts<double>();
}

TEST_CASE("lengths of vectors neither overflow nor vanish", "[accuracy]") {
  check_lengths<float>();
  check_lengths<double>();
}

TEST_CASE("Bessel functions of higher orders", "[accuracy]") {
  check_bessel_orders<float>();
  check_bessel_orders<double>();
}
