#pragma once
// The scalar functions that arithmetic.def calls: PTX semantics that differ from C++. They are templates or
// inline, so that each vector target compiles its own copy.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudalabs::sim::scalar {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

#define CUDALABS_INLINE [[gnu::always_inline]] inline

CUDALABS_INLINE s32 saturate_s32(s64 v) {
  return v > 0x7FFFFFFF         ? 0x7FFFFFFF
         : v < -s64{0x80000000} ? std::numeric_limits<s32>::min()
                                : static_cast<s32>(v);
}
/// Quotient of 32-bit integers, with b != 0. The truncated quotient of doubles is exact, because a nonzero
/// fraction is at least 2^-31 of it. There is no vector integer division. INT_MIN / -1 wraps.
CUDALABS_INLINE s32 quotient(s32 a, s32 b) {
  const f64 q = static_cast<f64>(a) / static_cast<f64>(b);
  return q > 0x7FFFFFFF ? std::numeric_limits<s32>::min() : static_cast<s32>(q);
}
CUDALABS_INLINE u32 quotient(u32 a, u32 b) {
  return static_cast<u32>(static_cast<s64>(static_cast<f64>(a) / static_cast<f64>(b)));
}
CUDALABS_INLINE s32 sign_extend24(s32 v) { return static_cast<s32>(static_cast<u32>(v) << 8) >> 8; }
CUDALABS_INLINE s64 wrap_negate(s64 v) { return static_cast<s64>(u64{0} - static_cast<u64>(v)); }

CUDALABS_INLINE u32 reverse_bits(u32 v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
  return __builtin_bswap32(v);
}

template <class T>
CUDALABS_INLINE u32 find_bit_signed(T v) {
  using U = std::make_unsigned_t<T>;
  const U u = static_cast<U>(v < 0 ? ~v : v);
  return u == 0 ? ~u32{0} : static_cast<u32>(sizeof(T) * 8 - 1) - static_cast<u32>(std::countl_zero(u));
}

/// Position or length of bfe and bfi. For 32 bits the hardware uses the low byte, for 64 bits the whole
/// number.
template <class T>
CUDALABS_INLINE u32 field_number(u32 n) {
  return sizeof(T) == 4 ? n & 0xFF : n < 0xFF ? n : 0xFF;
}

// bfe: bits beyond the word read as the sign (signed) or zero (unsigned); PTX ISA, "Integer Arithmetic: bfe".
template <class T>
CUDALABS_INLINE T extract_bits(T a, u32 b, u32 c) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 kBits = sizeof(T) * 8;
  const u32 pos = field_number<T>(b), len = field_number<T>(c);
  if (len == 0) return 0;
  const u32 last = pos + len - 1 < kBits - 1 ? pos + len - 1 : kBits - 1;
  const bool sign = std::is_signed_v<T> && ((static_cast<U>(a) >> last) & 1);
  const U shifted = pos >= kBits ? U{0} : static_cast<U>(static_cast<U>(a) >> pos);
  const u32 have = pos >= kBits ? 0 : (len < kBits - pos ? len : kBits - pos);
  const U keep = have >= kBits ? ~U{0} : static_cast<U>((U{1} << have) - 1);
  return static_cast<T>((shifted & keep) | (sign ? static_cast<U>(~keep) : U{0}));
}

template <class T>
CUDALABS_INLINE T insert_bits(T a, T b, u32 c, u32 d) {
  constexpr u32 kBits = sizeof(T) * 8;
  const u32 pos = field_number<T>(c), len = field_number<T>(d);
  if (len == 0 || pos >= kBits) return b;
  const T field = len >= kBits ? ~T{0} : static_cast<T>((T{1} << len) - 1);
  const T mask = static_cast<T>(field << pos);
  return (b & ~mask) | (static_cast<T>(a << pos) & mask);
}

CUDALABS_INLINE u32 bit_mask(u32 pos, u32 len) {
  if (pos > 31 || len == 0) return 0;
  return (len >= 32 ? ~u32{0} : (u32{1} << len) - 1) << pos;
}
CUDALABS_INLINE u32 funnel_left(u32 a, u32 b, u32 n) {
  return static_cast<u32>(((u64{b} << 32 | a) << n) >> 32);
}
CUDALABS_INLINE u32 funnel_right(u32 a, u32 b, u32 n) { return static_cast<u32>((u64{b} << 32 | a) >> n); }

CUDALABS_INLINE u32 permute_bytes(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 d = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 s = selector >> (4 * i);
    u32 byte = static_cast<u32>(bytes >> (8 * (s & 7))) & 0xFF;
    if (s & 8) byte = byte & 0x80 ? 0xFF : 0;
    d |= byte << (8 * i);
  }
  return d;
}

/// The selector for a mode of prmt; n: the two low bits of its third operand.
enum class PermuteMode { Forward4, Backward4, Replicate8, ClampLeft, ClampRight, Replicate16 };
CUDALABS_INLINE u32 permute_selector(PermuteMode mode, u32 n) {
  constexpr u16 kSelectors[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return kSelectors[static_cast<int>(mode)][n & 3];
}

/// fns: the offset-th set bit of `mask` from `base` on, upwards
/// or (offset < 0) downwards; all ones if there is none.
CUDALABS_INLINE u32 find_nth_set(u32 mask, u32 base, s32 offset) {
  if (base > 31) return ~u32{0};
  if (offset == 0) return (mask >> base) & 1 ? base : ~u32{0};
  const s32 step = offset < 0 ? -1 : 1;
  s64 left = offset < 0 ? -s64{offset} : s64{offset};
  for (s32 at = static_cast<s32>(base); at >= 0 && at < 32; at += step) {
    if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<u32>(at);
  }
  return ~u32{0};
}

/// Sum of the products of two 16-bit elements of `a` with two bytes of `b`, starting at byte `first`.
template <class A, class B>
CUDALABS_INLINE u32 dot2(u32 a, u32 b, u32 first) {
  u32 sum = 0;
  for (u32 i = 0; i < 2; ++i)
    sum += static_cast<u32>(s32{static_cast<A>(a >> (16 * i))} * s32{static_cast<B>(b >> (8 * (first + i)))});
  return sum;
}

/// Absolute differences of the elements E of two words: packed, or (vabsdiff.add) summed.
template <class E, bool Saturate>
CUDALABS_INLINE u32 absolute_differences(u32 a, u32 b) {
  u32 d = 0;
  for (u32 i = 0; i < 32; i += 8 * sizeof(E)) {
    const s32 x = static_cast<E>(a >> i), y = static_cast<E>(b >> i);
    s32 v = x > y ? x - y : y - x;
    if (Saturate && v > std::numeric_limits<E>::max()) v = std::numeric_limits<E>::max();
    d |= u32{static_cast<std::make_unsigned_t<E>>(v)} << i;
  }
  return d;
}
template <class E>
CUDALABS_INLINE u32 sum_of_differences(u32 a, u32 b) {
  u32 d = 0;
  for (u32 i = 0; i < 32; i += 8 * sizeof(E)) {
    const s32 x = static_cast<E>(a >> i), y = static_cast<E>(b >> i);
    d += static_cast<u32>(x > y ? x - y : y - x);
  }
  return d;
}

/// A binary operation on both 16-bit elements of a word.
template <class E, class F>
CUDALABS_INLINE u32 each_half(u32 a, u32 b, F f) {
  const u32 low = static_cast<u16>(f(static_cast<E>(a), static_cast<E>(b)));
  return low | u32{static_cast<u16>(f(static_cast<E>(a >> 16), static_cast<E>(b >> 16)))} << 16;
}

template <class A, class B>
CUDALABS_INLINE u32 dot4(u32 a, u32 b) {
  s32 sum = 0;
  for (u32 i = 0; i < 4; ++i) sum += s32{static_cast<A>(a >> (8 * i))} * s32{static_cast<B>(b >> (8 * i))};
  return static_cast<u32>(sum);
}

/// 8-bit floats. Conversions produce one NaN for both formats, 0x7F; numbers beyond the largest become the
/// largest (.satfinite, which these conversions require).
template <u32 Mantissa, s32 Bias, u32 Largest>
struct Float8 {
  CUDALABS_INLINE static u16 from(f32 a) {
    const u32 bits = std::bit_cast<u32>(a) & 0x7FFFFFFFu, sign = std::bit_cast<u32>(a) >> 24 & 0x80u;
    if (bits > 0x7F800000u) return 0x7F;
    const s32 own = static_cast<s32>(bits >> 23) - 127, least = 1 - Bias;
    const s32 exponent = own < least ? least : own;
    if (exponent > 16) return static_cast<u16>(sign | Largest);
    // In units of the last place of its exponent; a carry out of the mantissa increments the exponent.
    const f32 unit = std::bit_cast<f32>(static_cast<u32>(exponent - static_cast<s32>(Mantissa) + 127) << 23);
    const auto count = static_cast<u32>(std::nearbyint(std::bit_cast<f32>(bits) / unit));
    const u32 code = (static_cast<u32>(exponent + Bias - 1) << Mantissa) + count;
    return static_cast<u16>(sign | (code > Largest ? Largest : code));
  }
};
using E4M3 = Float8<3, 7, 0x7E>;
using E5M2 = Float8<2, 15, 0x7B>;

/// Conversion to half, which represents all values.
CUDALABS_INLINE u16 e5m2_to_half(u16 a) {
  return static_cast<u16>((a & 0x7F) > 0x7C ? 0x7FFF : (a & 0xFF) << 8);
}
CUDALABS_INLINE u16 e4m3_to_half(u16 a) {
  if ((a & 0x7F) == 0x7F) return 0x7FFF;
  const u32 sign = static_cast<u32>(a & 0x80) << 8, exponent = static_cast<u32>(a) >> 3 & 15,
            mantissa = a & 7u;
  if (exponent != 0) return static_cast<u16>(sign | (exponent + 8) << 10 | mantissa << 7);
  if (mantissa == 0) return static_cast<u16>(sign);
  // 1 to 3: shift until bit 3 is the leading one.
  const u32 shift = static_cast<u32>(std::countl_zero(mantissa)) - 28;
  return static_cast<u16>(sign | (9 - shift) << 10 | ((mantissa << shift) & 7) << 7);
}

/// vmad: a product and a sum that may need more than 64 bits, then shifted.
CUDALABS_INLINE s64 scaled_product(s64 a, s64 b, s64 c, u32 shift) {
  return static_cast<s64>((s128{a} * b + c) >> shift);
}

/// The NaN that the hardware's float instructions produce; the host's own would print as "-nan". Sums and
/// products, the bulk of programs, keep the host's NaN.
template <class F>
CUDALABS_INLINE F canonical_nan() {
  if constexpr (std::is_same_v<F, f32>) return std::bit_cast<f32>(0x7FFFFFFFu);
  return std::numeric_limits<F>::quiet_NaN();
}
CUDALABS_INLINE f32 canonical(f32 a) { return a != a ? canonical_nan<f32>() : a; }

/// A float's sum or product has a single NaN; a double's keeps the bits of its first NaN operand, made quiet.
/// This is explicit because compilers may swap the operands of a sum.
CUDALABS_INLINE f64 quiet(f64 a) { return std::bit_cast<f64>(std::bit_cast<u64>(a) | 0x0008000000000000u); }
CUDALABS_INLINE f64 of_nan(f64 result, f64 a, f64 b) {
  return result == result ? result : a != a ? quiet(a) : b != b ? quiet(b) : result;
}
CUDALABS_INLINE f64 of_nan(f64 result, f64 a, f64 b, f64 c) {
  return result == result ? result : a != a ? quiet(a) : b != b ? quiet(b) : c != c ? quiet(c) : result;
}

// PTX min/max: a number wins over a NaN, and -0 is less than +0.
template <class F>
CUDALABS_INLINE F float_min(F a, F b) {
  if (a != a) return b != b ? canonical_nan<F>() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class F>
CUDALABS_INLINE F float_max(F a, F b) {
  if (a != a) return b != b ? canonical_nan<F>() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class F>
CUDALABS_INLINE F float_min_nan(F a, F b) {
  return a != a || b != b ? canonical_nan<F>() : float_min(a, b);
}
template <class F>
CUDALABS_INLINE F float_max_nan(F a, F b) {
  return a != a || b != b ? canonical_nan<F>() : float_max(a, b);
}

CUDALABS_INLINE f32 zero_like(f32 a) { return std::bit_cast<f32>(std::bit_cast<u32>(a) & 0x80000000u); }
CUDALABS_INLINE f32 flush(f32 a) { return (std::bit_cast<u32>(a) & 0x7F800000u) == 0 ? zero_like(a) : a; }
/// .ftz flushes results that are too small after rounding to 24 bits with an unbounded exponent: `exact` is
/// the result in double.
CUDALABS_INLINE f32 flush_rounded(f32 result, f64 exact) {
  return (exact < 0 ? -exact : exact) < 0x1p-126 - 0x1p-151 ? zero_like(result) : result;
}
/// The same if the host rounded in the required direction, whichever it is: within a last place below the
/// normal numbers, `result` shows whether the coarser grid of the host rounded up to them. A NaN is no small
/// number.
CUDALABS_INLINE f32 flush_as_rounded(f32 result, f64 exact) {
  return (exact < 0 ? -exact : exact) <= 0x1p-126 - 0x1p-150 ? zero_like(result) : flush(result);
}
enum class Direction { Zero, Down, Up };

/// The same for directed rounding: rounding away from zero may reach the normal numbers.
template <Direction D>
CUDALABS_INLINE f32 flush_directed(f32 result, f64 exact) {
  const bool away = D == Direction::Up ? exact > 0 : D == Direction::Down ? exact < 0 : false;
  return (exact < 0 ? -exact : exact) < (away ? 0x1p-126 - 0x1p-150 : 0x1p-126) ? zero_like(result) : result;
}
/// Above 2^126 the result is too small with every rounding: no 24-bit value lies between it and 2^-126.
CUDALABS_INLINE f32 rcp_ftz(f32 a) {
  const f32 x = flush(a);
  const bool small = (x < 0 ? -x : x) > 0x1p126f;
  return small ? zero_like(x) : canonical(1.0f / x);
}
/// div.approx multiplies by the reciprocal, and flushes a reciprocal below 2^-126 to 0.
CUDALABS_INLINE f32 div_approx(f32 a, f32 b) {
  const f32 zero = zero_like(b);
  return canonical((b < 0 ? -b : b) > 0x1p126f ? a * zero : a / b);
}
CUDALABS_INLINE f32 mul_ftz(f32 a, f32 b) {
  const f32 x = flush(a), y = flush(b);
  return flush_rounded(x * y, f64{x} * f64{y});
}
CUDALABS_INLINE f32 fma_ftz(f32 a, f32 b, f32 c) {
  const f32 x = flush(a), y = flush(b), z = flush(c);
  return flush_rounded(std::fma(x, y, z), f64{x} * f64{y} + f64{z});
}
CUDALABS_INLINE f32 mul_ftz_directed(f32 a, f32 b) {
  const f32 x = flush(a), y = flush(b);
  return flush_as_rounded(x * y, f64{x} * f64{y});
}
CUDALABS_INLINE f32 fma_ftz_directed(f32 a, f32 b, f32 c) {
  const f32 x = flush(a), y = flush(b), z = flush(c);
  return flush_as_rounded(std::fma(x, y, z), f64{x} * f64{y} + f64{z});
}
/// Valid for every rounding: a quotient of two floats below 2^-126 is at least 2^-150 below it, too far to
/// round up to it.
CUDALABS_INLINE f32 div_ftz(f32 a, f32 b) {
  const f32 x = flush(a), y = flush(b), quotient = x / y;
  const f64 exact = f64{x} / f64{y};
  return (exact < 0 ? -exact : exact) < 0x1p-126 ? zero_like(quotient) : canonical(quotient);
}
template <class F>
CUDALABS_INLINE F saturate_unit(F a) {
  return a > F{0} ? (a < F{1} ? a : F{1}) : F{0};  // NaN becomes +0
}

// cvt.rzi and related conversions, after rounding: out of range saturates. NaN produces the result of an
// H100: only the top bit, but 0 from float to 32 bits.
template <class I, class F>
CUDALABS_INLINE I float_to_int(F a) {
  if (a != a) {
    if constexpr (sizeof(I) == 8)
      return static_cast<I>(u64{1} << 63);
    else
      return sizeof(F) == 8 ? static_cast<I>(u32{1} << 31) : I{0};
  }
  constexpr F kLow = static_cast<F>(std::numeric_limits<I>::min());
  constexpr F kHigh =
      -kLow * (std::is_signed_v<I> ? F{1} : F{0}) +
      (std::is_signed_v<I> ? F{0} : F{2} * static_cast<F>(std::make_unsigned_t<I>{1} << (sizeof(I) * 8 - 1)));
  if (a < kLow) return std::numeric_limits<I>::min();
  if (a >= kHigh) return std::numeric_limits<I>::max();
  return static_cast<I>(a);
}

CUDALABS_INLINE f32 half_to_float(u16 h) {
  const u32 sign = static_cast<u32>(h & 0x8000) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3FF;
  if (exponent == 31) return std::bit_cast<f32>(sign | 0x7F800000u | mantissa << 13);
  if (exponent == 0) {
    const f32 v = static_cast<f32>(mantissa) * 0x1p-24f;
    return std::bit_cast<f32>(sign | std::bit_cast<u32>(v));
  }
  return std::bit_cast<f32>(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// Rounds to nearest even at 11 bits, with gradual underflow below 2^-14; from double, so that there is only
/// one rounding.
CUDALABS_INLINE u16 double_to_half(f64 v) {
  const u64 bits = std::bit_cast<u64>(v);
  const u16 sign = static_cast<u16>((bits >> 48) & 0x8000);
  const f64 a = std::bit_cast<f64>(bits & 0x7FFFFFFFFFFFFFFFu);
  if (a != a) return 0x7FFF;
  if (a >= 65520.0) return static_cast<u16>(sign | 0x7C00);
  if (a < 0x1p-14) return static_cast<u16>(sign | static_cast<u16>(std::nearbyint(a * 0x1p24)));
  const s64 exponent = static_cast<s64>((bits >> 52) & 0x7FF) - 1023;
  const u64 mantissa = bits & 0xFFFFFFFFFFFFFu;
  u64 m = ((u64{1} << 52) | mantissa) >> 42;
  const u64 rest = mantissa & ((u64{1} << 42) - 1), half = u64{1} << 41;
  if (rest > half || (rest == half && (m & 1))) ++m;
  return static_cast<u16>(sign | ((static_cast<u64>(exponent + 14) << 10) + m));
}
CUDALABS_INLINE u16 float_to_half(f32 v) { return double_to_half(v); }

/// .ftz of f16: flush_rounded() with 11 bits.
CUDALABS_INLINE u16 flush_half_rounded(u16 result, f64 exact) {
  return (exact < 0 ? -exact : exact) < 0x1p-14 - 0x1p-26 ? static_cast<u16>(result & 0x8000) : result;
}
/// f16 instructions have one NaN, even those that only change a sign; bf16 instructions keep its bits (H200).
CUDALABS_INLINE u16 canonical_half(u16 a) { return (a & 0x7FFF) > 0x7C00 ? u16{0x7FFF} : a; }
/// For operands that are not subnormal.
CUDALABS_INLINE u16 fma_half_ftz(u16 x, u16 y, u16 z) {
  const f64 exact = f64{half_to_float(x)} * f64{half_to_float(y)} + f64{half_to_float(z)};
  return flush_half_rounded(double_to_half(exact), exact);
}

CUDALABS_INLINE f32 bfloat_to_float(u16 b) { return std::bit_cast<f32>(u32{b} << 16); }
CUDALABS_INLINE u16 float_to_bfloat(f32 v) {
  u32 bits = std::bit_cast<u32>(v);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0x7FFF;
  bits += 0x7FFFu + ((bits >> 16) & 1);
  return static_cast<u16>(bits >> 16);
}

/// Rounds to odd: inexact values end in a 1, so that a second rounding to fewer bits equals a single one.
CUDALABS_INLINE f32 round_to_odd(f64 v) {
  const f32 nearest = static_cast<f32>(v);
  const f64 back = nearest;
  const u32 bits = std::bit_cast<u32>(nearest);
  if (v != v || back == v || (bits & 1) != 0) return nearest;
  const bool too_large = (back < 0 ? -back : back) > (v < 0 ? -v : v);
  return std::bit_cast<f32>(too_large ? bits - 1 : bits + 1);
}
CUDALABS_INLINE u16 double_to_bfloat(f64 v) { return float_to_bfloat(round_to_odd(v)); }

/// fma of bfloat16 with one rounding. The product is exact in double; the sum is rounded to odd.
CUDALABS_INLINE u16 fma_bfloat(u16 x, u16 y, u16 z) {
  const f64 product = f64{bfloat_to_float(x)} * f64{bfloat_to_float(y)}, c = bfloat_to_float(z);
  const f64 sum = product + c;
  const f64 part = sum - product;
  const f64 lost = (product - (sum - part)) + (c - part);
  u64 bits = std::bit_cast<u64>(sum);
  if (lost == lost && lost != 0 && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? u64{1} : ~u64{0};
  return double_to_bfloat(std::bit_cast<f64>(bits));
}

/// `v` rounded in a direction to `digits` significant bits with no exponent below `least`; beyond `largest`
/// it becomes that or infinity. The result is exact in the narrow format, so any rounding conversion may
/// follow.
template <Direction D>
CUDALABS_INLINE f64 round_directed(f64 v, int digits, int least, f64 largest) {
  if (v != v || v == 0) return v;
  const f64 a = v < 0 ? -v : v;
  const bool away = D == Direction::Up ? v > 0 : D == Direction::Down ? v < 0 : false;
  f64 r = a;
  if (a <= largest) {
    int exponent = static_cast<int>((std::bit_cast<u64>(a) >> 52) & 0x7FF) - 1023;
    exponent = exponent < least ? least : exponent;
    const f64 unit = std::ldexp(1.0, exponent - digits + 1);
    r = (away ? std::ceil(a / unit) : std::floor(a / unit)) * unit;
  }
  if (r > largest && a < std::numeric_limits<f64>::infinity())
    r = away ? std::numeric_limits<f64>::infinity() : largest;
  return v < 0 ? -r : r;
}
template <Direction D>
CUDALABS_INLINE u16 to_half_directed(f64 v) {
  return double_to_half(round_directed<D>(v, 11, -14, 65504.0));
}
template <Direction D>
CUDALABS_INLINE u16 to_bfloat_directed(f64 v) {
  return double_to_bfloat(round_directed<D>(v, 8, -126, 0x1.FEp127));
}

/// tf32: 11 significant bits, ties away from zero.
CUDALABS_INLINE u32 float_to_tf32(u32 bits) {
  return (bits & 0x7FFFFFFFu) >= 0x7F800000u ? bits : (bits + 0x1000u) & ~u32{0x1FFF};
}

}  // namespace cudalabs::sim::scalar
