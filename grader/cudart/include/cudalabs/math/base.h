#pragma once

// The basics of the device's math functions. Everything in this folder except the approximate instructions is
// plain C++: tests compile it for the host too, and it computes the same bits there.

#if defined(__CUDA__)
// They leave no lines of their own: their work belongs to the line of the call.
#define CUDALABS_MATH \
  static __attribute__((host)) __attribute__((device)) __inline__ __attribute__((always_inline, nodebug))
// Large or rarely needed functions are not inlined: a kernel contains them once.
#define CUDALABS_MATH_CALLED \
  static __attribute__((host)) __attribute__((device)) __attribute__((noinline, nodebug))
// Defined in a function, to be removed with it; in global memory, not const, which would make it constant
// memory. Its name tells the simulator that its loads are not the programmer's (analysis/cuda_tables.h).
#define CUDALABS_MATH_TABLE(type, name, size) static type name[size] asm("__cudart_" #name)
#else
#define CUDALABS_MATH inline
#define CUDALABS_MATH_CALLED inline
#define CUDALABS_MATH_TABLE(type, name, size) static const type name[size]
#endif

namespace cudalabs_math {

using u32 = unsigned int;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;

CUDALABS_MATH u32 bits(float a) { return __builtin_bit_cast(u32, a); }
CUDALABS_MATH u64 bits(double a) { return __builtin_bit_cast(u64, a); }
CUDALABS_MATH float from_bits(u32 a) { return __builtin_bit_cast(float, a); }
CUDALABS_MATH double from_bits(u64 a) { return __builtin_bit_cast(double, a); }
CUDALABS_MATH u32 high_word(double a) { return static_cast<u32>(bits(a) >> 32); }

CUDALABS_MATH float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUDALABS_MATH double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CUDALABS_MATH float absolute(float a) { return __builtin_fabsf(a); }
CUDALABS_MATH double absolute(double a) { return __builtin_fabs(a); }
CUDALABS_MATH float with_sign(float a, float sign) { return __builtin_copysignf(a, sign); }
CUDALABS_MATH double with_sign(double a, double sign) { return __builtin_copysign(a, sign); }
CUDALABS_MATH float least(float a, float b) { return __builtin_fminf(a, b); }
CUDALABS_MATH double least(double a, double b) { return __builtin_fmin(a, b); }
CUDALABS_MATH float most(float a, float b) { return __builtin_fmaxf(a, b); }
CUDALABS_MATH double most(double a, double b) { return __builtin_fmax(a, b); }
CUDALABS_MATH float floor_of(float a) { return __builtin_floorf(a); }
CUDALABS_MATH double floor_of(double a) { return __builtin_floor(a); }
CUDALABS_MATH float truncated(float a) { return __builtin_truncf(a); }
CUDALABS_MATH double truncated(double a) { return __builtin_trunc(a); }

CUDALABS_MATH float infinity_f() { return from_bits(0x7F800000u); }
CUDALABS_MATH double infinity_d() { return from_bits(0x7FF0000000000000ull); }
CUDALABS_MATH float nan_f() { return from_bits(0x7FFFFFFFu); }
CUDALABS_MATH double nan_d() { return from_bits(0xFFF8000000000000ull); }

// A product that the compiler does not fuse with a sum; clang fuses all others. Code that adds to a product
// here uses fma() or this function: otherwise the parts of a Pair would not belong to one product.
#if defined(__CUDA_ARCH__)
CUDALABS_MATH float rounded_product(float a, float b) {
  float r;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
CUDALABS_MATH double rounded_product(double a, double b) {
  double r;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
CUDALABS_MATH float rint_of(float a) { return __builtin_rintf(a); }
CUDALABS_MATH double rint_of(double a) { return __builtin_rint(a); }
CUDALABS_MATH float sqrt_of(float a) { return __nvvm_sqrt_rn_f(a); }
CUDALABS_MATH double sqrt_of(double a) { return __nvvm_sqrt_rn_d(a); }
CUDALABS_MATH float quotient(float a, float b) { return __nvvm_div_rn_f(a, b); }
CUDALABS_MATH double quotient(double a, double b) { return __nvvm_div_rn_d(a, b); }

// The special-function unit. With ftz it is one instruction; callers scale subnormal numbers themselves.
CUDALABS_MATH float exp2_unit(float a) { return __nvvm_ex2_approx_ftz_f(a); }
CUDALABS_MATH float log2_unit(float a) { return __nvvm_lg2_approx_ftz_f(a); }
CUDALABS_MATH float reciprocal_unit(float a) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
// Without ftz: several instructions.
CUDALABS_MATH float exp2_full(float a) { return __nvvm_ex2_approx_f(a); }
CUDALABS_MATH float rsqrt_full(float a) { return __nvvm_rsqrt_approx_f(a); }
CUDALABS_MATH double reciprocal_unit(double a) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
}
CUDALABS_MATH double rsqrt_full(double a) { return __nvvm_rsqrt_approx_d(a); }
CUDALABS_MATH u64 high_product(u64 a, u64 b) {
  u64 r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
#else
// Host versions for tests: compiled without contraction, with the simulator's special-function unit.
CUDALABS_MATH float rounded_product(float a, float b) { return a * b; }
CUDALABS_MATH double rounded_product(double a, double b) { return a * b; }
CUDALABS_MATH float rint_of(float a) { return __builtin_nearbyintf(a); }
CUDALABS_MATH double rint_of(double a) { return __builtin_nearbyint(a); }
CUDALABS_MATH float sqrt_of(float a) { return __builtin_sqrtf(a); }
CUDALABS_MATH double sqrt_of(double a) { return __builtin_sqrt(a); }
CUDALABS_MATH float quotient(float a, float b) { return a / b; }
CUDALABS_MATH double quotient(double a, double b) { return a / b; }
CUDALABS_MATH float flushed(float a) {
  return (bits(a) & 0x7F800000u) == 0 ? from_bits(bits(a) & 0x80000000u) : a;
}
CUDALABS_MATH float exp2_unit(float a) { return flushed(static_cast<float>(__builtin_exp2(flushed(a)))); }
CUDALABS_MATH float log2_unit(float a) { return static_cast<float>(__builtin_log2(flushed(a))); }
CUDALABS_MATH float reciprocal_unit(float a) { return flushed(1.0f / flushed(a)); }
CUDALABS_MATH float exp2_full(float a) { return static_cast<float>(__builtin_exp2(a)); }
CUDALABS_MATH float rsqrt_full(float a) { return static_cast<float>(1.0 / __builtin_sqrt(a)); }
CUDALABS_MATH double reciprocal_unit(double a) { return 1.0 / a; }
CUDALABS_MATH double rsqrt_full(double a) { return 1.0 / __builtin_sqrt(a); }
CUDALABS_MATH u64 high_product(u64 a, u64 b) {
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
}
#endif

/// c0 + z (c1 + z (c2 + ...)).
template <class F>
CUDALABS_MATH F horner(F, F c) {
  return c;
}
template <class F, class... Rest>
CUDALABS_MATH F horner(F z, F c, Rest... rest) {
  return fma(horner(z, rest...), z, c);
}

/// 1/g for a normal number, to about the last bit.
CUDALABS_MATH double reciprocal(double g) {
  double r = reciprocal_unit(g);
  r = fma(r, fma(-g, r, 1.0), r);
  return fma(r, fma(-g, r, 1.0), r);
}

/// 2^n for the exponents of normal numbers.
CUDALABS_MATH float power_of_two(s32 n, float) { return from_bits(static_cast<u32>(n + 127) << 23); }
CUDALABS_MATH double power_of_two(s32 n, double) {
  return from_bits(static_cast<u64>(static_cast<u32>(n + 1023)) << 52);
}

/// A number as the sum of two: `low` is at most half a last place of `high`.
template <class F>
struct Pair {
  F high, low;
};
/// a + b, if |a| >= |b| or a is 0.
template <class F>
CUDALABS_MATH Pair<F> ordered_sum(F a, F b) {
  const F s = a + b;
  return {s, b - (s - a)};
}
template <class F>
CUDALABS_MATH Pair<F> exact_sum(F a, F b) {
  const F s = a + b, part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}
template <class F>
CUDALABS_MATH Pair<F> exact_product(F a, F b) {
  const F p = rounded_product(a, b);
  return {p, fma(a, b, -p)};
}
template <class F>
CUDALABS_MATH Pair<F> product(Pair<F> a, Pair<F> b) {
  const F p = rounded_product(a.high, b.high);
  return ordered_sum(p, fma(a.high, b.high, -p) + fma(a.high, b.low, a.low * b.high));
}
template <class F>
CUDALABS_MATH Pair<F> sum(Pair<F> a, Pair<F> b) {
  const Pair<F> s = exact_sum(a.high, b.high);
  return ordered_sum(s.high, s.low + (a.low + b.low));
}

}  // namespace cudalabs_math
