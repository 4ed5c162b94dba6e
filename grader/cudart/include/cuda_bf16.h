#pragma once
// bfloat16 numbers and pairs. A card of compute capability 8.0 has one instruction that multiplies and adds
// them, and none for other arithmetic: sums and products use that instruction, and comparisons compare
// floats.

#include <cuda_fp16.h>

namespace cudalabs {

#ifndef __CUDA_ARCH__
struct Bfloat16 : HostOperations<Bfloat16> {
#else
struct Bfloat16 : FloatComparisons<Bfloat16> {
#endif
  using Bits = unsigned short;
  static constexpr int kExponent = 8, kFraction = 7;
  static constexpr Bits kOne = 0x3F80, kMinusOne = 0xBF80, kMinusZero = 0x8000;

#ifdef __CUDA_ARCH__

  template <Rounding kRounding>
  static CUDALABS_DEVICE_MEMBER Bits from(float value) {
    Bits bits;
    if constexpr (kRounding == Rounding::Nearest) {
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    } else if constexpr (kRounding == Rounding::Zero) {
      asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    } else {
      bits = narrowed<kExponent, kFraction, kRounding>(value);
    }
    return bits;
  }
  template <Rounding kRounding, class T>
  static CUDALABS_DEVICE_MEMBER Bits from(T value) {
    return from<kRounding>(odd_float(value));
  }
  static CUDALABS_DEVICE_MEMBER float value(Bits bits) {
    float value;
    asm("mov.b32 %0, {0, %1};" : "=f"(value) : "h"(bits));
    return value;
  }

  CUDALABS_UNARY(neg, "neg", "bf16")
  CUDALABS_UNARY(abs, "abs", "bf16")
  CUDALABS_BINARY(min, "min", "bf16")
  CUDALABS_BINARY(max, "max", "bf16")
  CUDALABS_BINARY(min_nan, "min.NaN", "bf16")
  CUDALABS_BINARY(max_nan, "max.NaN", "bf16")
  CUDALABS_TERNARY(fma, "fma.rn", "bf16")
  CUDALABS_TERNARY(fma_relu, "fma.rn.relu", "bf16")

  /// A constant, as a number or as a pair.
  template <class T>
  static CUDALABS_DEVICE_MEMBER T all(Bits bits) {
    return static_cast<T>(sizeof(T) == 4 ? bits * 0x10001u : bits);
  }
  template <class T>
  static CUDALABS_DEVICE_MEMBER T add(T a, T b) {
    return fma(a, all<T>(kOne), b);
  }
  template <class T>
  static CUDALABS_DEVICE_MEMBER T sub(T a, T b) {
    return fma(b, all<T>(kMinusOne), a);
  }
  template <class T>
  static CUDALABS_DEVICE_MEMBER T mul(T a, T b) {
    return fma(a, b, all<T>(kMinusZero));
  }
  template <class T>
  static CUDALABS_DEVICE_MEMBER T saturated(T a) {
    return min(max(a, T(0)), all<T>(kOne));
  }
#define CUDALABS_AS(name, ...)                     \
  template <class T>                               \
  static CUDALABS_DEVICE_MEMBER T name(T a, T b) { \
    return __VA_ARGS__;                            \
  }
  CUDALABS_AS(add_rn, add(a, b))
  CUDALABS_AS(sub_rn, sub(a, b))
  CUDALABS_AS(mul_rn, mul(a, b))
  CUDALABS_AS(add_sat, saturated(add(a, b)))
  CUDALABS_AS(sub_sat, saturated(sub(a, b)))
  CUDALABS_AS(mul_sat, saturated(mul(a, b)))
#undef CUDALABS_AS
  template <class T>
  static CUDALABS_DEVICE_MEMBER T fma_sat(T a, T b, T c) {
    return saturated(fma(a, b, c));
  }

  static CUDALABS_DEVICE_MEMBER Bits tanh_approx(Bits a) {
    float value = Bfloat16::value(a);
    asm("tanh.approx.f32 %0, %0;" : "+f"(value));
    return from<Rounding::Nearest>(value);
  }
  static CUDALABS_DEVICE_MEMBER unsigned pair_of(float low, float high) {
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
  }
  template <class T>
  static CUDALABS_DEVICE_MEMBER T atomic_add(void* address, T a) {
    T* const place = static_cast<T*>(address);
    T old = *static_cast<volatile T*>(place), seen;
    do {
      seen = old;
      old = atomicCAS(place, seen, add(seen, a));
    } while (old != seen);
    return old;
  }
#else
  static float value(Bits bits) { return bits_as<float>(static_cast<unsigned>(bits) << 16); }
#endif
};

}  // namespace cudalabs

#define CUDALABS_FORMAT cudalabs::Bfloat16
#define CUDALABS_WORD bfloat16
#define CUDALABS_SHORT __nv_bfloat16
#define CUDALABS_PAIR __nv_bfloat162
#define CUDALABS_OTHER __half
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define CUDALABS_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define CUDALABS_NO_PAIR_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CUDALABS_NO_CONVERSIONS
#endif
#include "cudalabs/short_float_class.h"
#include "cudalabs/short_float_functions.h"

#ifndef __CUDA_NO_HALF_CONVERSIONS__
CUDALABS_HOST_DEVICE_MEMBER __half::__half(__nv_bfloat16 value) : __half(static_cast<float>(value)) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
CUDALABS_HOST_DEVICE_MEMBER __nv_bfloat16::__nv_bfloat16(__half value)
    : __nv_bfloat16(static_cast<float>(value)) {}
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7F))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80))
