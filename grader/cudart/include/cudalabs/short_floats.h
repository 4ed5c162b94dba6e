#pragma once
// The basics of half and bfloat16: rounding a number to few digits, and back. Host code computes in float and
// double and rounds here; device code uses this where it has no instructions.

#include <cuda_runtime.h>

namespace cudalabs {

enum class Rounding { Nearest, Zero, Down, Up };

template <class To, class From>
CUDALABS_HOST_DEVICE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

/// The encoding of `value` in a format of one sign bit, `kExponent` bits of exponent and
/// `kFraction` of fraction.
template <int kExponent, int kFraction, Rounding kRounding>
CUDALABS_HOST_DEVICE unsigned short narrowed(float value) {
  constexpr int kShift = 127 - ((1 << (kExponent - 1)) - 1);
  constexpr unsigned kInfinity = ((1u << kExponent) - 1) << kFraction;
  const unsigned bits = bits_as<unsigned>(value), sign = bits >> 16 & 0x8000u, size = bits & 0x7FFFFFFFu;
  if (size > 0x7F800000u) return 0x7FFF;
  if (size == 0x7F800000u) return static_cast<unsigned short>(sign | kInfinity);
  int exponent = static_cast<int>(size >> 23);
  unsigned digits = size & 0x7FFFFFu;
  if (exponent == 0)
    exponent = 1;
  else
    digits |= 0x800000u;
  exponent -= kShift;
  int drop = 23 - kFraction;
  if (exponent < 1) {  // a denormal: shifts the digits down
    drop += 1 - exponent;
    exponent = 1;
    if (drop > 31) drop = 31;
  }
  const unsigned rest = digits & ((1u << drop) - 1), half = 1u << (drop - 1);
  unsigned kept = digits >> drop;
  kept += static_cast<unsigned>(exponent - 1) << kFraction;  // the leading digit adds one to the exponent
  bool up = false;
  if (kRounding == Rounding::Nearest) up = rest > half || (rest == half && (kept & 1) != 0);
  if (kRounding == Rounding::Down) up = rest != 0 && sign != 0;
  if (kRounding == Rounding::Up) up = rest != 0 && sign == 0;
  if (up) ++kept;
  if (kept >= kInfinity) {
    const bool stays = kRounding == Rounding::Zero || (kRounding == Rounding::Down && sign == 0) ||
                       (kRounding == Rounding::Up && sign != 0);
    kept = stays ? kInfinity - 1 : kInfinity;
  }
  return static_cast<unsigned short>(sign | kept);
}

/// `value` as a float that is exact, or that has its last bit set and lies on the same side of every number
/// with fewer digits. So rounding the float rounds `value` correctly.
CUDALABS_HOST_DEVICE float odd_float(double value) {
  const float near = static_cast<float>(value);
  const double back = near;
  if (back == value || value != value) return near;
  auto bits = bits_as<unsigned>(near);
  if ((back < 0 ? -back : back) > (value < 0 ? -value : value)) --bits;
  return bits_as<float>(bits | 1u);
}
CUDALABS_HOST_DEVICE float odd_float(int value) { return odd_float(static_cast<double>(value)); }
CUDALABS_HOST_DEVICE float odd_float(unsigned value) { return odd_float(static_cast<double>(value)); }
CUDALABS_HOST_DEVICE float odd_float(unsigned long long value) {
  if (value < 1ull << 40) return odd_float(static_cast<double>(value));
  const bool rest = (value & 0xFFFFFFull) != 0;
  return odd_float(static_cast<double>(value >> 24 | (rest ? 1 : 0)) * 16777216.0);
}
CUDALABS_HOST_DEVICE float odd_float(long long value) {
  return value < 0 ? -odd_float(0ull - static_cast<unsigned long long>(value))
                   : odd_float(static_cast<unsigned long long>(value));
}

/// a b + c of short floats, for one final rounding: the product is exact, and the last bit of the sum shows
/// what the sum lost.
CUDALABS_HOST_DEVICE float odd_fma(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c, added = sum - product;
  const double lost = (product - (sum - added)) + (c - added);
  if (!(lost < 0 || lost > 0)) return odd_float(sum);
  auto bits = bits_as<unsigned long long>(sum);
  if ((bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return odd_float(bits_as<double>(bits));
}

/// Converts to an integer type: saturates, and converts a NaN as a card does.
template <class T, Rounding kRounding>
CUDALABS_HOST_DEVICE T rounded_to(float value) {
  constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
  constexpr int kBits = 8 * sizeof(T);
  constexpr T kHigh = static_cast<T>(kSigned ? (1ull << (kBits - 1)) - 1 : ~0ull),
              kLow = static_cast<T>(~kHigh);
  if (value != value) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : T(0);
  if (kRounding == Rounding::Nearest) value = __builtin_rintf(value);
  if (kRounding == Rounding::Zero) value = __builtin_truncf(value);
  if (kRounding == Rounding::Down) value = __builtin_floorf(value);
  if (kRounding == Rounding::Up) value = __builtin_ceilf(value);
  constexpr float kEnd =
      static_cast<float>(1ull << (kBits - 1 - (kSigned ? 0 : 1))) * (kSigned ? 1.0f : 4.0f);
  if (value >= kEnd) return kHigh;
  if (value < (kSigned ? -kEnd : 0.0f)) return kLow;
  return static_cast<T>(value);
}

/// Minimum and maximum as in the instructions: -0 is below +0; a NaN is ignored, or is the result.
CUDALABS_HOST_DEVICE float smaller(float x, float y, bool nan) {
  if (x != x || y != y) return nan || (x != x && y != y) ? __builtin_nanf("") : x != x ? y : x;
  return x < y || (x == y && __builtin_signbit(x)) ? x : y;
}
CUDALABS_HOST_DEVICE float larger(float x, float y, bool nan) { return -smaller(-x, -y, nan); }

#ifdef __CUDA_ARCH__
#define CUDALABS_APPROXIMATE(name, instruction)       \
  CUDALABS_DEVICE float approximate_##name(float x) { \
    asm(instruction ".approx.f32 %0, %0;" : "+f"(x)); \
    return x;                                         \
  }
CUDALABS_APPROXIMATE(sqrt, "sqrt")
CUDALABS_APPROXIMATE(rsqrt, "rsqrt")
CUDALABS_APPROXIMATE(rcp, "rcp")
CUDALABS_APPROXIMATE(lg2, "lg2")
CUDALABS_APPROXIMATE(ex2, "ex2")
#undef CUDALABS_APPROXIMATE
#endif

/// Comparisons: name and condition on two floats; those with a u hold for NaNs.
#define CUDALABS_COMPARISONS(X) \
  X(eq, x == y)                 \
  X(ne, x<y || x> y)            \
  X(le, x <= y)                 \
  X(ge, x >= y)                 \
  X(lt, x < y)                  \
  X(gt, x > y)                  \
  X(equ, !(x < y || x > y))     \
  X(neu, !(x == y)) X(leu, !(x > y)) X(geu, !(x < y)) X(ltu, !(x >= y)) X(gtu, !(x <= y))

/// Comparisons for a format that has no instructions for them. Pairs return two numbers, 1 or 0, or two
/// masks.
template <class Format>
struct FloatComparisons {
  using Bits = unsigned short;
  static CUDALABS_HOST_DEVICE_MEMBER Bits low(unsigned pair) { return static_cast<Bits>(pair); }
  static CUDALABS_HOST_DEVICE_MEMBER Bits high(unsigned pair) { return static_cast<Bits>(pair >> 16); }
#define CUDALABS_COMPARISON(name, ...)                                                        \
  static CUDALABS_HOST_DEVICE_MEMBER bool name(Bits a, Bits b) {                              \
    const float x = Format::value(a), y = Format::value(b);                                   \
    return __VA_ARGS__;                                                                       \
  }                                                                                           \
  static CUDALABS_HOST_DEVICE_MEMBER unsigned name##_mask(unsigned a, unsigned b) {           \
    return (name(low(a), low(b)) ? 0xFFFFu : 0) | (name(high(a), high(b)) ? 0xFFFF0000u : 0); \
  }                                                                                           \
  static CUDALABS_HOST_DEVICE_MEMBER unsigned name##_ones(unsigned a, unsigned b) {           \
    return name##_mask(a, b) & Format::kOne * 0x10001u;                                       \
  }
  CUDALABS_COMPARISONS(CUDALABS_COMPARISON)
#undef CUDALABS_COMPARISON
};

#ifndef __CUDA_ARCH__
/// The operations of a format on the host: each computes in float, which is accurate enough to round once
/// more.
template <class Format>
struct HostOperations : FloatComparisons<Format> {
  using Bits = unsigned short;
  template <Rounding kRounding>
  static Bits from(float value) {
    return narrowed<Format::kExponent, Format::kFraction, kRounding>(value);
  }
  template <Rounding kRounding, class T>
  static Bits from(T value) {
    return from<kRounding>(odd_float(value));
  }
  static Bits rounded(float value) { return from<Rounding::Nearest>(value); }
  static float saturated(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }
  static unsigned pack(Bits low, Bits high) { return low | static_cast<unsigned>(high) << 16; }
  static unsigned pair_of(float low, float high) { return pack(rounded(low), rounded(high)); }
  using FloatComparisons<Format>::low, FloatComparisons<Format>::high;

#define CUDALABS_HOST_UNARY(name, ...)                                \
  static Bits name(Bits a) { return static_cast<Bits>(__VA_ARGS__); } \
  static unsigned name(unsigned a) { return pack(name(low(a)), name(high(a))); }
#define CUDALABS_HOST_BINARY(name, ...)                     \
  static Bits name(Bits a, Bits b) {                        \
    const float x = Format::value(a), y = Format::value(b); \
    return rounded(__VA_ARGS__);                            \
  }                                                         \
  static unsigned name(unsigned a, unsigned b) { return pack(name(low(a), low(b)), name(high(a), high(b))); }
#define CUDALABS_HOST_TERNARY(name, ...)                                           \
  static Bits name(Bits a, Bits b, Bits c) {                                       \
    const float x = odd_fma(Format::value(a), Format::value(b), Format::value(c)); \
    return rounded(__VA_ARGS__);                                                   \
  }                                                                                \
  static unsigned name(unsigned a, unsigned b, unsigned c) {                       \
    return pack(name(low(a), low(b), low(c)), name(high(a), high(b), high(c)));    \
  }
  CUDALABS_HOST_UNARY(neg, a ^ 0x8000)
  CUDALABS_HOST_UNARY(abs, a & 0x7FFF)
  CUDALABS_HOST_BINARY(add, x + y)
  CUDALABS_HOST_BINARY(sub, x - y)
  CUDALABS_HOST_BINARY(mul, x* y)
  CUDALABS_HOST_BINARY(add_rn, x + y)
  CUDALABS_HOST_BINARY(sub_rn, x - y)
  CUDALABS_HOST_BINARY(mul_rn, x* y)
  CUDALABS_HOST_BINARY(add_sat, saturated(x + y))
  CUDALABS_HOST_BINARY(sub_sat, saturated(x - y))
  CUDALABS_HOST_BINARY(mul_sat, saturated(x* y))
  CUDALABS_HOST_BINARY(min, smaller(x, y, false))
  CUDALABS_HOST_BINARY(max, larger(x, y, false))
  CUDALABS_HOST_BINARY(min_nan, smaller(x, y, true))
  CUDALABS_HOST_BINARY(max_nan, larger(x, y, true))
  CUDALABS_HOST_TERNARY(fma, x)
  CUDALABS_HOST_TERNARY(fma_sat, saturated(x))
  CUDALABS_HOST_TERNARY(fma_relu, x < 0 ? 0 : x)
#undef CUDALABS_HOST_UNARY
#undef CUDALABS_HOST_BINARY
#undef CUDALABS_HOST_TERNARY
};
#endif

}  // namespace cudalabs

// An instruction on numbers and on pairs.
#define CUDALABS_UNARY(name, instruction, type)             \
  static CUDALABS_DEVICE_MEMBER Bits name(Bits a) {         \
    asm(instruction "." type " %0, %0;" : "+h"(a));         \
    return a;                                               \
  }                                                         \
  static CUDALABS_DEVICE_MEMBER unsigned name(unsigned a) { \
    asm(instruction "." type "x2 %0, %0;" : "+r"(a));       \
    return a;                                               \
  }
#define CUDALABS_BINARY(name, instruction, type)                        \
  static CUDALABS_DEVICE_MEMBER Bits name(Bits a, Bits b) {             \
    asm(instruction "." type " %0, %0, %1;" : "+h"(a) : "h"(b));        \
    return a;                                                           \
  }                                                                     \
  static CUDALABS_DEVICE_MEMBER unsigned name(unsigned a, unsigned b) { \
    asm(instruction "." type "x2 %0, %0, %1;" : "+r"(a) : "r"(b));      \
    return a;                                                           \
  }
#define CUDALABS_TERNARY(name, instruction, type)                                   \
  static CUDALABS_DEVICE_MEMBER Bits name(Bits a, Bits b, Bits c) {                 \
    asm(instruction "." type " %0, %0, %1, %2;" : "+h"(a) : "h"(b), "h"(c));        \
    return a;                                                                       \
  }                                                                                 \
  static CUDALABS_DEVICE_MEMBER unsigned name(unsigned a, unsigned b, unsigned c) { \
    asm(instruction "." type "x2 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));      \
    return a;                                                                       \
  }
