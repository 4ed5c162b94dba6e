#pragma once
// The two storage formats of eight bits: e4m3, which has no infinity and one NaN, and e5m2, the upper half of
// a half. The cards that we compile for have no instructions for them: conversions use float, which
// represents all of them exactly.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace cudalabs {

/// `largest`: the encoding of the largest number; `beyond`: the encoding of anything larger.
template <int kExponent, int kFraction>
CUDALABS_HOST_DEVICE unsigned char narrowed_to_8(float value, unsigned largest, unsigned beyond) {
  constexpr int kShift = 127 - ((1 << (kExponent - 1)) - 1);
  const unsigned bits = bits_as<unsigned>(value), size = bits & 0x7FFFFFFFu;
  if (size > 0x7F800000u) return 0x7F;
  int exponent = static_cast<int>(size >> 23) - kShift, drop = 23 - kFraction;
  // Such small numbers all become zero.
  const unsigned digits = size < 0x800000u ? 0 : (size & 0x7FFFFFu) | 0x800000u;
  if (exponent < 1) {  // a denormal: shifts the digits down
    drop = drop + 1 - exponent > 31 ? 31 : drop + 1 - exponent;
    exponent = 1;
  }
  const unsigned rest = digits & ((1u << drop) - 1), half = 1u << (drop - 1);
  unsigned kept = (digits >> drop) + (static_cast<unsigned>(exponent - 1) << kFraction);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  return static_cast<unsigned char>((bits >> 24 & 0x80u) | (kept > largest ? beyond : kept));
}
CUDALABS_HOST_DEVICE unsigned char to_fp8(float value, __nv_saturation_t saturation,
                                          __nv_fp8_interpretation_t format) {
  const bool finite = saturation == __NV_SATFINITE;
  return format == __NV_E4M3 ? narrowed_to_8<4, 3>(value, 0x7E, finite ? 0x7E : 0x7F)
                             : narrowed_to_8<5, 2>(value, 0x7B, finite ? 0x7B : 0x7C);
}
CUDALABS_HOST_DEVICE float from_fp8(unsigned char bits, __nv_fp8_interpretation_t format) {
  const unsigned size = bits & 0x7Fu, sign = static_cast<unsigned>(bits & 0x80) << 8;
  if (format == __NV_E5M2 ? size > 0x7C : size == 0x7F) return bits_as<float>(0x7FFFFFFFu);
  // A half's exponent has one more bit than e4m3's, and another bias.
  const unsigned half = sign | (format == __NV_E5M2 ? size << 8 : size << 7);
  const float value = __half2float(__half(__half_raw{static_cast<unsigned short>(half)}));
  return format == __NV_E5M2 ? value : value * 256.0f;
}
/// Converts to a short format, with the NaN of NVIDIA's functions.
CUDALABS_HOST_DEVICE __half_raw half_from_fp8(unsigned char bits, __nv_fp8_interpretation_t format) {
  const float value = from_fp8(bits, format);
  return value != value ? __half_raw{0x7FFF} : static_cast<__half_raw>(__float2half_rn(value));
}

}  // namespace cudalabs

#define CUDALABS_TO_FP8(name, T, as)                                                           \
  CUDALABS_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(                            \
      const T x, const __nv_saturation_t saturation, const __nv_fp8_interpretation_t format) { \
    return cudalabs::to_fp8(as(x), saturation, format);                                        \
  }
#define CUDALABS_TO_FP8X2(name, T, as)                                                            \
  CUDALABS_HOST_DEVICE __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(                           \
      const T x, const __nv_saturation_t saturation, const __nv_fp8_interpretation_t format) {    \
    return static_cast<__nv_fp8x2_storage_t>(cudalabs::to_fp8(as(x.x), saturation, format) |      \
                                             cudalabs::to_fp8(as(x.y), saturation, format) << 8); \
  }
#define CUDALABS_OF_HALF(x) __half2float(__half(__half_raw{x}))
#define CUDALABS_OF_HALF_RAW(x) __half2float(__half(x))
#define CUDALABS_OF_BFLOAT(x) __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{x}))
#define CUDALABS_OF_BFLOAT_RAW(x) __bfloat162float(__nv_bfloat16(x))
CUDALABS_TO_FP8(float, float, )
CUDALABS_TO_FP8(double, double, cudalabs::odd_float)
CUDALABS_TO_FP8(halfraw, __half_raw, CUDALABS_OF_HALF_RAW)
CUDALABS_TO_FP8(bfloat16raw, __nv_bfloat16_raw, CUDALABS_OF_BFLOAT_RAW)
CUDALABS_TO_FP8X2(float2, float2, )
CUDALABS_TO_FP8X2(double2, double2, cudalabs::odd_float)
CUDALABS_TO_FP8X2(halfraw2, __half2_raw, CUDALABS_OF_HALF)
CUDALABS_TO_FP8X2(bfloat16raw2, __nv_bfloat162_raw, CUDALABS_OF_BFLOAT)
#undef CUDALABS_TO_FP8
#undef CUDALABS_TO_FP8X2
#undef CUDALABS_OF_HALF
#undef CUDALABS_OF_HALF_RAW
#undef CUDALABS_OF_BFLOAT
#undef CUDALABS_OF_BFLOAT_RAW

CUDALABS_HOST_DEVICE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                        const __nv_fp8_interpretation_t format) {
  return cudalabs::half_from_fp8(x, format);
}
CUDALABS_HOST_DEVICE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                            const __nv_fp8_interpretation_t format) {
  const __half_raw low = cudalabs::half_from_fp8(static_cast<unsigned char>(x), format),
                   high = cudalabs::half_from_fp8(static_cast<unsigned char>(x >> 8), format);
  return {low.x, high.x};
}

// A number, a pair and four of them. Conversions are explicit; too large a value becomes the largest.
#define CUDALABS_FP8_CLASSES(kind, format)                                                                   \
  struct __nv_fp8_##kind {                                                                                   \
    __nv_fp8_storage_t __x;                                                                                  \
    __nv_fp8_##kind() = default;                                                                             \
    CUDALABS_EACH_NUMBER(CUDALABS_FP8_FROM, __nv_fp8_##kind, format)                                         \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8_##kind(const double value)                                 \
        : __x(cudalabs::to_fp8(cudalabs::odd_float(value), __NV_SATFINITE, format)) {}                       \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8_##kind(const __half value)                                 \
        : __x(cudalabs::to_fp8(__half2float(value), __NV_SATFINITE, format)) {}                              \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8_##kind(const __nv_bfloat16 value)                          \
        : __x(cudalabs::to_fp8(__bfloat162float(value), __NV_SATFINITE, format)) {}                          \
    CUDALABS_EACH_INTEGER(CUDALABS_FP8_TO, , format)                                                         \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator float() const { return cudalabs::from_fp8(__x, format); }  \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator double() const { return cudalabs::from_fp8(__x, format); } \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator __half() const {                                           \
      return __half(cudalabs::half_from_fp8(__x, format));                                                   \
    }                                                                                                        \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator __nv_bfloat16() const {                                    \
      return __float2bfloat16_rn(cudalabs::from_fp8(__x, format));                                           \
    }                                                                                                        \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator bool() const { return (__x & 0x7F) != 0; }                 \
  };                                                                                                         \
  struct alignas(2) __nv_fp8x2_##kind {                                                                      \
    __nv_fp8x2_storage_t __x;                                                                                \
    __nv_fp8x2_##kind() = default;                                                                           \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x2_##kind(const float2 value)                               \
        : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, format)) {}                                    \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x2_##kind(const double2 value)                              \
        : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, format)) {}                                   \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x2_##kind(const __half2 value)                              \
        : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, format)) {}                                  \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x2_##kind(const __nv_bfloat162 value)                       \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, format)) {}                              \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator __half2() const {                                          \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                               \
    }                                                                                                        \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator float2() const {                                           \
      return {cudalabs::from_fp8(static_cast<unsigned char>(__x), format),                                   \
              cudalabs::from_fp8(static_cast<unsigned char>(__x >> 8), format)};                             \
    }                                                                                                        \
  };                                                                                                         \
  struct alignas(4) __nv_fp8x4_##kind {                                                                      \
    __nv_fp8x4_storage_t __x;                                                                                \
    __nv_fp8x4_##kind() = default;                                                                           \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x4_##kind(const float4 value)                               \
        : __x(of(__nv_fp8x2_##kind(float2{value.x, value.y}),                                                \
                 __nv_fp8x2_##kind(float2{value.z, value.w}))) {}                                            \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x4_##kind(const __half2 low, const __half2 high)            \
        : __x(of(__nv_fp8x2_##kind(low), __nv_fp8x2_##kind(high))) {}                                        \
    explicit CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x4_##kind(const __nv_bfloat162 low,                         \
                                                           const __nv_bfloat162 high)                        \
        : __x(of(__nv_fp8x2_##kind(low), __nv_fp8x2_##kind(high))) {}                                        \
    explicit CUDALABS_HOST_DEVICE_MEMBER operator float4() const {                                           \
      return {cudalabs::from_fp8(static_cast<unsigned char>(__x), format),                                   \
              cudalabs::from_fp8(static_cast<unsigned char>(__x >> 8), format),                              \
              cudalabs::from_fp8(static_cast<unsigned char>(__x >> 16), format),                             \
              cudalabs::from_fp8(static_cast<unsigned char>(__x >> 24), format)};                            \
    }                                                                                                        \
                                                                                                             \
   private:                                                                                                  \
    static CUDALABS_HOST_DEVICE_MEMBER __nv_fp8x4_storage_t of(__nv_fp8x2_##kind low,                        \
                                                               __nv_fp8x2_##kind high) {                     \
      return low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16;                                    \
    }                                                                                                        \
  };
#define CUDALABS_EACH_INTEGER(ONE, Class, format) \
  ONE(char, Class, format)                        \
  ONE(signed char, Class, format) ONE(unsigned char, Class, format) CUDALABS_EACH_LONGER(ONE, Class, format)
// clang-format off
#define CUDALABS_EACH_LONGER(ONE, Class, format) \
  ONE(short, Class, format) ONE(unsigned short, Class, format) ONE(int, Class, format) \
  ONE(unsigned, Class, format) ONE(long, Class, format) ONE(unsigned long, Class, format) \
  ONE(long long, Class, format) ONE(unsigned long long, Class, format)
// clang-format on
#define CUDALABS_EACH_NUMBER(ONE, Class, format) \
  ONE(float, Class, format) CUDALABS_EACH_LONGER(ONE, Class, format)
#define CUDALABS_FP8_FROM(T, Class, format)                 \
  explicit CUDALABS_HOST_DEVICE_MEMBER Class(const T value) \
      : __x(cudalabs::to_fp8(static_cast<float>(value), __NV_SATFINITE, format)) {}
#define CUDALABS_FP8_TO(T, Class, format)                                                      \
  explicit CUDALABS_HOST_DEVICE_MEMBER operator T() const {                                    \
    return cudalabs::rounded_to<T, cudalabs::Rounding::Zero>(cudalabs::from_fp8(__x, format)); \
  }
CUDALABS_FP8_CLASSES(e4m3, __NV_E4M3)
CUDALABS_FP8_CLASSES(e5m2, __NV_E5M2)
#undef CUDALABS_FP8_CLASSES
#undef CUDALABS_EACH_INTEGER
#undef CUDALABS_EACH_LONGER
#undef CUDALABS_EACH_NUMBER
#undef CUDALABS_FP8_FROM
#undef CUDALABS_FP8_TO
