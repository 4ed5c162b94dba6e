// The math library against the host's, in ulps. nvcc compiles these functions into plain PTX, so every error bound of
// the CUDA C++ Programming Guide ("Mathematical Functions") should hold, up to the host library's own half ulp.
#include "check.cuh"

#define F1(name, ...) OPERATION(name##_f, float, (float a), name##f(a), static_cast<float>(__VA_ARGS__))
#define D1(name, ...) OPERATION(name##_d, double, (double a), name(a), __VA_ARGS__)
#define BOTH(name) F1(name, std::name(static_cast<double>(a))) D1(name, std::name(a))
BOTH(sin) BOTH(cos) BOTH(tan) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(sinh) BOTH(cosh) BOTH(tanh) BOTH(asinh) BOTH(acosh)
BOTH(atanh) BOTH(exp) BOTH(exp2) BOTH(expm1) BOTH(log) BOTH(log2) BOTH(log10) BOTH(log1p) BOTH(cbrt) BOTH(erf) BOTH(erfc)
BOTH(tgamma) BOTH(lgamma)
OPERATION(pow_f, float, (float a, float b), powf(a, b), static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b))))
OPERATION(pow_d, double, (double a, double b), pow(a, b), std::pow(a, b))
OPERATION(atan2_f, float, (float a, float b), atan2f(a, b), static_cast<float>(std::atan2(static_cast<double>(a), static_cast<double>(b))))
OPERATION(atan2_d, double, (double a, double b), atan2(a, b), std::atan2(a, b))
OPERATION(hypot_f, float, (float a, float b), hypotf(a, b), static_cast<float>(std::hypot(static_cast<double>(a), static_cast<double>(b))))
OPERATION(hypot_d, double, (double a, double b), hypot(a, b), std::hypot(a, b))
OPERATION(sincos_f, float, (float a), ({ float s, c; sincosf(a, &s, &c); s * c; }), static_cast<float>(std::sin(static_cast<double>(a)) * std::cos(static_cast<double>(a))))
OPERATION(sinpi_d, double, (double a), sinpi(a), std::sin(3.14159265358979323846 * std::remainder(a, 2.0)))
OPERATION(norm3d_f, float, (float a, float b), norm3df(a, b, 2.0f), static_cast<float>(std::sqrt(double(a) * a + double(b) * b + 4.0)))
OPERATION(normcdf_d, double, (double a), normcdf(a), 0.5 * std::erfc(-a * 0.70710678118654752440))
OPERATION(frexp_f, float, (float a), ({ int e; const float m = frexpf(a, &e); m + e; }), ({ int e; const float m = std::frexp(a, &e); m + e; }))
OPERATION(modf_d, double, (double a), ({ double w; const double p = modf(a, &w); p + 3 * w; }), ({ double w; const double p = std::modf(a, &w); p + 3 * w; }))
OPERATION(lround_d, s64, (double a), llround(a), std::llround(a))
OPERATION(lrint_f, int, (float a), static_cast<int>(lrintf(a)), static_cast<int>(std::lrint(a)))
OPERATION(fdim_f, float, (float a, float b), fdimf(a, b), std::fdim(a, b))
OPERATION(j0_d, double, (double a), j0(a), ::j0(a))
// The fast intrinsics: absolute errors on small ranges.
OPERATION(fast_sin, float, (float a), __sinf(a), static_cast<float>(std::sin(static_cast<double>(a))))
OPERATION(fast_exp, float, (float a), __expf(a), static_cast<float>(std::exp(static_cast<double>(a))))
OPERATION(fast_log, float, (float a), __logf(a), static_cast<float>(std::log(static_cast<double>(a))))
OPERATION(fast_pow, float, (float a, float b), __powf(a, b), static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b))))
OPERATION(fast_tanh, float, (float a), ({ float r; asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); r; }), static_cast<float>(std::tanh(static_cast<double>(a))))

template <class T>
static std::vector<T> spread(double low, double high, int n = 400) {
  std::vector<T> v;
  for (int i = 0; i <= n; ++i) v.push_back(static_cast<T>(low + (high - low) * i / n + 0.37 * (high - low) / n));
  return v;
}
#define PAIR(name, low, high, uf, ud) check<name##_f>(spread<float>(low, high), uf); check<name##_d>(spread<double>(low, high), ud);
int main() {
  PAIR(sin, -100, 100, 2, 2) PAIR(cos, -100, 100, 2, 2) PAIR(tan, -100, 100, 4, 3)
  check<sin_f>(std::vector<float>{1e6f, 1e10f, 3e38f, INFINITY, 0.0f, -0.0f}, 2);
  check<cos_d>(std::vector<double>{1e6, 1e10, 1e300, INFINITY, 0.0}, 2);
  PAIR(asin, -1, 0.99, 4, 3) PAIR(acos, -1, 0.99, 4, 3) PAIR(atan, -20, 20, 3, 3)
  PAIR(sinh, -20, 20, 4, 3) PAIR(cosh, -20, 20, 3, 2) PAIR(tanh, -5, 5, 3, 3)
  PAIR(asinh, -50, 50, 4, 3) PAIR(acosh, 1, 50, 5, 4) PAIR(atanh, -0.99, 0.98, 4, 3)
  PAIR(exp, -80, 80, 3, 2) PAIR(exp2, -100, 100, 3, 2) PAIR(expm1, -2, 20, 2, 2)
  PAIR(log, 0.01, 1000, 2, 2) PAIR(log2, 0.01, 1000, 2, 2) PAIR(log10, 0.01, 1000, 3, 2) PAIR(log1p, -0.9, 100, 2, 2)
  PAIR(cbrt, -100, 100, 2, 2) PAIR(erf, -4, 4, 3, 3) PAIR(erfc, -4, 8, 5, 6) PAIR(tgamma, 0.1, 20, 6, 11)
  PAIR(lgamma, 3.1, 50, 7, 5)
  check<exp_f>(std::vector<float>{-INFINITY, INFINITY, NAN, 0, 89, -104, 1000}, 2);
  check<log_d>(std::vector<double>{0, -1, INFINITY, NAN, 1, 5e-324}, 1);
  const auto base = spread<double>(0.1, 20, 40), exponent = spread<double>(-10, 10, 40);
  const std::vector<float> base_f(base.begin(), base.end()), exponent_f(exponent.begin(), exponent.end());
  check<pow_f>(base_f, exponent_f, 5); check<pow_d>(base, exponent, 3);
  const std::vector<double> odd{-2, -1, 0, 0.5, 1, 3, INFINITY, -INFINITY, NAN};
  check<pow_d>(odd, odd, 2);
  check<atan2_f>(exponent_f, exponent_f, 4); check<atan2_d>(odd, odd, 3); check<hypot_f>(exponent_f, base_f, 4); check<hypot_d>(exponent, base, 3);
  check<sincos_f>(spread<float>(-3, 3), 8); check<sinpi_d>(spread<double>(0.01, 0.5), 4); check<norm3d_f>(exponent_f, base_f, 4);
  check<normcdf_d>(spread<double>(-2, 5), 12); check<frexp_f>(spread<float>(-30, 30)); check<modf_d>(spread<double>(-30, 30));
  check<lround_d>(spread<double>(-30, 30)); check<lrint_f>(spread<float>(-30, 30)); check<fdim_f>(exponent_f, base_f);
  check<j0_d>(spread<double>(0.1, 1.5), 9);
  check<fast_sin>(spread<float>(0.1, 1.5), 64); check<fast_exp>(spread<float>(-10, 10), 15); check<fast_log>(spread<float>(2, 100), 6);
  check<fast_pow>(spread<float>(1, 10, 30), spread<float>(-3, 3, 30), 40); check<fast_tanh>(spread<float>(-4, 4), 8192);
  return finish();
}
