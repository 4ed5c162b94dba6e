#pragma once
// half numbers and pairs.

#include <cuda_runtime.h>

#include "cudalabs/short_floats.h"

namespace cudalabs {

/// Operations on encodings. Device code has an instruction for each.
#ifndef __CUDA_ARCH__
struct Half : HostOperations<Half> {
#else
struct Half {
#endif
  using Bits = unsigned short;
  static constexpr int kExponent = 5, kFraction = 10;
  static constexpr Bits kOne = 0x3C00;

#ifdef __CUDA_ARCH__
#define CUDALABS_ROUNDED(before, after, to, value)                                                       \
  if constexpr (kRounding == Rounding::Nearest) asm("cvt.rn." before "." after " %0, %1;" : to : value); \
  if constexpr (kRounding == Rounding::Zero) asm("cvt.rz." before "." after " %0, %1;" : to : value);    \
  if constexpr (kRounding == Rounding::Down) asm("cvt.rm." before "." after " %0, %1;" : to : value);    \
  if constexpr (kRounding == Rounding::Up) asm("cvt.rp." before "." after " %0, %1;" : to : value);
#define CUDALABS_FROM(T, type, constraint)                       \
  template <Rounding kRounding>                                  \
  static CUDALABS_DEVICE_MEMBER Bits from(T value) {             \
    Bits bits;                                                   \
    CUDALABS_ROUNDED("f16", type, "=h"(bits), constraint(value)) \
    return bits;                                                 \
  }
  CUDALABS_FROM(float, "f32", "f")
  CUDALABS_FROM(double, "f64", "d")
  CUDALABS_FROM(int, "s32", "r")
  CUDALABS_FROM(unsigned, "u32", "r")
  CUDALABS_FROM(long long, "s64", "l")
  CUDALABS_FROM(unsigned long long, "u64", "l")
#undef CUDALABS_FROM
#undef CUDALABS_ROUNDED

  static CUDALABS_DEVICE_MEMBER float value(Bits bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
  CUDALABS_UNARY(neg, "neg", "f16")
  CUDALABS_UNARY(abs, "abs", "f16")
  CUDALABS_BINARY(add, "add", "f16")
  CUDALABS_BINARY(sub, "sub", "f16")
  CUDALABS_BINARY(mul, "mul", "f16")
  CUDALABS_BINARY(add_rn, "add.rn", "f16")
  CUDALABS_BINARY(sub_rn, "sub.rn", "f16")
  CUDALABS_BINARY(mul_rn, "mul.rn", "f16")
  CUDALABS_BINARY(add_sat, "add.sat", "f16")
  CUDALABS_BINARY(sub_sat, "sub.sat", "f16")
  CUDALABS_BINARY(mul_sat, "mul.sat", "f16")
  CUDALABS_BINARY(min, "min", "f16")
  CUDALABS_BINARY(max, "max", "f16")
  CUDALABS_BINARY(min_nan, "min.NaN", "f16")
  CUDALABS_BINARY(max_nan, "max.NaN", "f16")
  CUDALABS_TERNARY(fma, "fma.rn", "f16")
  CUDALABS_TERNARY(fma_sat, "fma.rn.sat", "f16")
  CUDALABS_TERNARY(fma_relu, "fma.rn.relu", "f16")

#define CUDALABS_COMPARISON(name, ...)                                                             \
  static CUDALABS_DEVICE_MEMBER bool name(Bits a, Bits b) {                                        \
    asm("{.reg .pred p; setp." #name ".f16 p, %0, %1; selp.u16 %0, 1, 0, p;}" : "+h"(a) : "h"(b)); \
    return a != 0;                                                                                 \
  }                                                                                                \
  static CUDALABS_DEVICE_MEMBER unsigned name##_mask(unsigned a, unsigned b) {                     \
    asm("set." #name ".u32.f16x2 %0, %0, %1;" : "+r"(a) : "r"(b));                                 \
    return a;                                                                                      \
  }                                                                                                \
  static CUDALABS_DEVICE_MEMBER unsigned name##_ones(unsigned a, unsigned b) {                     \
    asm("set." #name ".f16x2.f16x2 %0, %0, %1;" : "+r"(a) : "r"(b));                               \
    return a;                                                                                      \
  }
  CUDALABS_COMPARISONS(CUDALABS_COMPARISON)
#undef CUDALABS_COMPARISON

  static CUDALABS_DEVICE_MEMBER Bits tanh_approx(Bits a) {
    asm("tanh.approx.f16 %0, %0;" : "+h"(a));
    return a;
  }
  static CUDALABS_DEVICE_MEMBER unsigned pair_of(float low, float high) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
  }
  static CUDALABS_DEVICE_MEMBER Bits atomic_add(void* address, Bits a) {
    asm volatile("atom.add.noftz.f16 %0, [%1], %0;" : "+h"(a) : "l"(address) : "memory");
    return a;
  }
  static CUDALABS_DEVICE_MEMBER unsigned atomic_add(void* address, unsigned a) {
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %0;" : "+r"(a) : "l"(address) : "memory");
    return a;
  }
#else
  static float value(Bits bits) {
    const unsigned size = bits & 0x7FFFu, sign = static_cast<unsigned>(bits & 0x8000) << 16;
    if (size >= 0x7C00) return bits_as<float>(sign | 0x7F800000u | (size & 0x3FFu) << 13);
    return bits_as<float>(sign | bits_as<unsigned>(bits_as<float>(size << 13) * 0x1p112f));
  }
#endif
};

}  // namespace cudalabs

#define CUDALABS_FORMAT cudalabs::Half
#define CUDALABS_WORD half
#define CUDALABS_SHORT __half
#define CUDALABS_PAIR __half2
#define CUDALABS_OTHER __nv_bfloat16
#ifdef __CUDA_NO_HALF_OPERATORS__
#define CUDALABS_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define CUDALABS_NO_PAIR_OPERATORS
#endif
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define CUDALABS_NO_CONVERSIONS
#endif
#include "cudalabs/short_float_class.h"
#include "cudalabs/short_float_functions.h"

typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFF))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00))
