// Float and double: IEEE operations bit for bit in every rounding, comparisons, denormals, flush to zero.
#include <cfenv>

#include "check.cuh"

/// The host's answer under a rounding mode, kept from being computed at compile time.
template <class T, class F>
static T rounded(int mode, F f) {
  std::fesetround(mode);
  volatile T r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}
#define VOLATILE2(T) volatile T x = a, y = b;
#define DIRECTED(prefix, suffix, mode, T)                                                                             \
  OPERATION(prefix##add_##suffix, T, (T a, T b), __##prefix##add_##suffix(a, b), rounded<T>(mode, [&] { VOLATILE2(T) return x + y; })) \
  OPERATION(prefix##sub_##suffix, T, (T a, T b), __##prefix##sub_##suffix(a, b), rounded<T>(mode, [&] { VOLATILE2(T) return x - y; })) \
  OPERATION(prefix##mul_##suffix, T, (T a, T b), __##prefix##mul_##suffix(a, b), rounded<T>(mode, [&] { VOLATILE2(T) return x * y; })) \
  OPERATION(prefix##div_##suffix, T, (T a, T b), __##prefix##div_##suffix(a, b), rounded<T>(mode, [&] { VOLATILE2(T) return x / y; })) \
  OPERATION(prefix##sqrt_##suffix, T, (T a), __##prefix##sqrt_##suffix(a), rounded<T>(mode, [&] { volatile T x = a; return std::sqrt(x); })) \
  OPERATION(prefix##rcp_##suffix, T, (T a), __##prefix##rcp_##suffix(a), rounded<T>(mode, [&] { volatile T x = a; return 1 / x; })) \
  OPERATION(prefix##ma_##suffix, T, (T a, T b, T c), FMA_##prefix(suffix)(a, b, c), rounded<T>(mode, [&] { VOLATILE2(T) volatile T z = c; return std::fma(x, y, z); }))
#define FMA_f(suffix) __fmaf_##suffix
#define FMA_d(suffix) __fma_##suffix
DIRECTED(f, rn, FE_TONEAREST, float) DIRECTED(f, rz, FE_TOWARDZERO, float) DIRECTED(f, rd, FE_DOWNWARD, float) DIRECTED(f, ru, FE_UPWARD, float)
DIRECTED(d, rn, FE_TONEAREST, double) DIRECTED(d, rz, FE_TOWARDZERO, double) DIRECTED(d, rd, FE_DOWNWARD, double) DIRECTED(d, ru, FE_UPWARD, double)

template <class T> T least(T a, T b) { return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b; }
template <class T> T largest(T a, T b) { return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b; }

#define COMMON(T, f)                                                                        \
  BOTH_SIDES(plus_##T, T, (T a, T b), a + b)                                                \
  BOTH_SIDES(minus_##T, T, (T a, T b), a - b)                                               \
  BOTH_SIDES(times_##T, T, (T a, T b), a * b)                                               \
  BOTH_SIDES(quotient_##T, T, (T a, T b), a / b)                                            \
  BOTH_SIDES(root_##T, T, (T a), std::sqrt(a))                                              \
  BOTH_SIDES(opposite_##T, T, (T a), -a)                                                    \
  BOTH_SIDES(magnitude_##T, T, (T a), std::fabs(a))                                         \
  BOTH_SIDES(fused_##T, T, (T a, T b, T c), std::fma(a, b, c))                              \
  OPERATION(min_##T, T, (T a, T b), fmin##f(a, b), least(a, b))                             \
  OPERATION(max_##T, T, (T a, T b), fmax##f(a, b), largest(a, b))                           \
  BOTH_SIDES(signed_like_##T, T, (T a, T b), std::copysign(a, b))                           \
  BOTH_SIDES(relations_##T, int, (T a, T b),                                                \
             (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b) + 64 * !(a < b) + 128 * !(a >= b)) \
  BOTH_SIDES(kinds_##T, int, (T a), (std::isnan(a) ? 1 : 0) + (std::isinf(a) ? 2 : 0) + (std::isfinite(a) ? 4 : 0) + (std::signbit(a) ? 8 : 0)) \
  BOTH_SIDES(truncated_##T, T, (T a), std::trunc(a))                                        \
  BOTH_SIDES(floored_##T, T, (T a), std::floor(a))                                          \
  BOTH_SIDES(ceiled_##T, T, (T a), std::ceil(a))                                            \
  BOTH_SIDES(rounded_##T, T, (T a), std::round(a))                                          \
  BOTH_SIDES(even_##T, T, (T a), std::rint(a))                                              \
  BOTH_SIDES(scaled_##T, T, (T a, int n), std::ldexp(a, n))                                 \
  BOTH_SIDES(modulo_##T, T, (T a, T b), std::fmod(a, b))                                    \
  BOTH_SIDES(remainder_##T, T, (T a, T b), std::remainder(a, b))                            \
  BOTH_SIDES(after_##T, T, (T a, T b), std::nextafter(a, b))                                \
  BOTH_SIDES(exponent_##T, T, (T a), std::logb(a))
COMMON(float, f) COMMON(double, )

static float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }
#define ASM_F2(text) ({ float r_; asm(text " %0, %1, %2;" : "=f"(r_) : "f"(a), "f"(b)); r_; })
OPERATION(add_ftz, float, (float a, float b), ASM_F2("add.rn.ftz.f32"), flushed(flushed(a) + flushed(b)))
OPERATION(mul_ftz, float, (float a, float b), ASM_F2("mul.rn.ftz.f32"), ({ const double exact = double(flushed(a)) * flushed(b); const float r = flushed(a) * flushed(b); std::fabs(exact) < 0x1p-126 - 0x1p-151 ? std::copysign(0.0f, r) : r; }))
OPERATION(min_ftz, float, (float a, float b), ASM_F2("min.ftz.f32"), least(flushed(a), flushed(b)))
OPERATION(max_nan, float, (float a, float b), ASM_F2("max.NaN.f32"), a != a || b != b ? NAN : largest(a, b))
OPERATION(min_xorsign, float, (float a, float b), ASM_F2("min.xorsign.abs.f32"), std::copysign(least(std::fabs(a), std::fabs(b)), std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f))
OPERATION(fma_ftz, float, (float a, float b), ({ float r; asm("fma.rn.ftz.f32 %0, %1, %2, %2;" : "=f"(r) : "f"(a), "f"(b)); r; }), ({ const float x = flushed(a), y = flushed(b), r = std::fma(x, y, y); std::fabs(double(x) * y + y) < 0x1p-126 - 0x1p-151 ? std::copysign(0.0f, r) : r; }))
OPERATION(add_sat, float, (float a, float b), ASM_F2("add.sat.f32"), ({ const float s = a + b; s > 0 ? (s < 1 ? s : 1.0f) : 0.0f; }))
OPERATION(fma_sat, float, (float a, float b), ({ float r; asm("fma.rn.sat.f32 %0, %1, %2, %1;" : "=f"(r) : "f"(a), "f"(b)); r; }), ({ const float s = std::fma(a, b, a); s > 0 ? (s < 1 ? s : 1.0f) : 0.0f; }))
OPERATION(saturated, float, (float a), __saturatef(a), a > 0 ? (a < 1 ? a : 1.0f) : 0.0f)
OPERATION(less_ftz, int, (float a, float b), ({ int r; asm("{.reg .pred p; setp.lt.ftz.f32 p, %1, %2; selp.s32 %0, 1, 0, p;}" : "=r"(r) : "f"(a), "f"(b)); r; }), flushed(a) < flushed(b))
OPERATION(set_float, float, (float a, float b), ASM_F2("set.gtu.f32.f32"), !(a <= b) ? 1.0f : 0.0f)
OPERATION(testp, int, (float a), ({ int r; asm("{.reg .pred p, q; testp.normal.f32 p, %1; testp.subnormal.f32 q, %1; selp.s32 %0, 1, 0, p; @q add.s32 %0, %0, 2;}" : "=r"(r) : "f"(a)); r; }),
          std::fpclassify(a) == FP_NORMAL || a == 0 ? 1 : std::fpclassify(a) == FP_SUBNORMAL ? 2 : 0)
OPERATION(slct_ftz, u32, (float a, float b), ({ u32 r; asm("slct.ftz.u32.f32 %0, 1, 2, %1;" : "=r"(r) : "f"(a * b)); r; }), flushed(a * b) >= 0 ? 1u : 2u)
// A sum that rounds towards zero to just below the normal numbers.
OPERATION(fma_rz_ftz, float, (float a, float b), ({ float r; asm("fma.rz.ftz.f32 %0, %1, %2, 0f80800000;" : "=f"(r) : "f"(a), "f"(b)); r; }), -0.0f)
OPERATION(slct, float, (float a, float b), ({ float r; asm("slct.f32.f32 %0, %1, %2, %1;" : "=f"(r) : "f"(a), "f"(b)); r; }), a >= 0 ? a : b)
// Approximations: a few ulps, as the programming guide states them.
OPERATION(approx_div, float, (float a, float b), __fdividef(a, b), a / b)
OPERATION(approx_rsqrt, float, (float a), rsqrtf(a), static_cast<float>(1 / std::sqrt(static_cast<double>(a))))
OPERATION(approx_rcp, float, (float a), ({ float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); r; }), 1 / flushed(a))
OPERATION(rsqrt_double, double, (double a), rsqrt(a), 1 / std::sqrt(a))

#define CHECK_DIRECTED(prefix, suffix)                                                                    \
  check<prefix##add_##suffix>(v, v); check<prefix##sub_##suffix>(v, v); check<prefix##mul_##suffix>(v, v); \
  check<prefix##div_##suffix>(v, v); check<prefix##sqrt_##suffix>(v); check<prefix##rcp_##suffix>(v);      \
  check<prefix##ma_##suffix>(v, some, some);
#define CHECK_COMMON(T)                                                                                              \
  check<plus_##T>(v, v); check<minus_##T>(v, v); check<times_##T>(v, v); check<quotient_##T>(v, v); check<root_##T>(v); \
  check<opposite_##T>(v); check<magnitude_##T>(v); check<fused_##T>(v, some, some); check<min_##T>(v, v);              \
  check<max_##T>(v, v); check<signed_like_##T>(v, v); check<relations_##T>(v, v); check<kinds_##T>(v);                 \
  check<truncated_##T>(v); check<floored_##T>(v); check<ceiled_##T>(v); check<rounded_##T>(v); check<even_##T>(v);     \
  check<scaled_##T>(v, std::vector<int>{0, 1, -1, 10, -30, 100, -150, 300, -1074}); check<modulo_##T>(v, v);           \
  check<remainder_##T>(v, v); check<after_##T>(v, v); check<exponent_##T>(v);

int main() {
  {
    const auto v = floats<float>();
    const std::vector<float> some{0, -0.0f, 1, -1, 0.1f, 3e38f, 1e-38f, 1e-45f, -7.25f, INFINITY, NAN, 1.0000001f};
    CHECK_DIRECTED(f, rn) CHECK_DIRECTED(f, rz) CHECK_DIRECTED(f, rd) CHECK_DIRECTED(f, ru)
    CHECK_COMMON(float)
    check<add_ftz>(v, v); check<mul_ftz>(v, v); check<fma_ftz>(v, v); check<min_ftz>(v, v); check<max_nan>(v, v); check<min_xorsign>(some, some);
    check<add_sat>(v, v); check<fma_sat>(v, v); check<saturated>(v); check<less_ftz>(v, v); check<set_float>(v, v);
    check<testp>(v); check<slct>(v, v); check<slct_ftz>(some, some);
    check<fma_rz_ftz>(std::vector<float>{0x1p-126f, 0x1p-24f, 0x1p-60f}, std::vector<float>{0x1p-126f});
    const std::vector<float> moderate{1, 2, 3, 0.1f, 7.5f, 1e10f, 1e-10f, 123.456f};
    check<approx_div>(moderate, moderate, 2); check<approx_rsqrt>(moderate, 2); check<approx_rcp>(moderate, 1);
  }
  {
    const auto v = floats<double>();
    const std::vector<double> some{0, -0.0, 1, -1, 0.1, 1e308, 1e-308, 5e-324, -7.25, INFINITY, NAN, 1.0000000000000002};
    CHECK_DIRECTED(d, rn) CHECK_DIRECTED(d, rz) CHECK_DIRECTED(d, rd) CHECK_DIRECTED(d, ru)
    CHECK_COMMON(double)
    check<rsqrt_double>(std::vector<double>{1, 2, 3, 0.1, 1e100, 1e-100}, 1);
  }
  return finish();
}
