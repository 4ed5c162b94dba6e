#pragma once
// The scalar functions that arithmetic.def calls: PTX semantics where C++ has none of its own.
// They are templates or inline, so that each vector target compiles its own copy.

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
  return v > 0x7FFFFFFF ? 0x7FFFFFFF : v < -s64{0x80000000} ? std::numeric_limits<s32>::min() : static_cast<s32>(v);
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

// bfe: bits beyond the word read as the sign (signed) or zero (unsigned); PTX ISA, "Integer Arithmetic: bfe".
template <class T>
CUDALABS_INLINE T extract_bits(T a, u32 b, u32 c) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 kBits = sizeof(T) * 8;
  const u32 pos = b & 0xFF, len = c & 0xFF;
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
  const u32 pos = c & 0xFF, len = d & 0xFF;
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

template <class A, class B>
CUDALABS_INLINE u32 dot4(u32 a, u32 b) {
  s32 sum = 0;
  for (u32 i = 0; i < 4; ++i) sum += s32{static_cast<A>(a >> (8 * i))} * s32{static_cast<B>(b >> (8 * i))};
  return static_cast<u32>(sum);
}

// PTX min/max: a NaN loses against a number, and -0 is less than +0.
template <class F>
CUDALABS_INLINE F float_min(F a, F b) {
  if (a != a) return b != b ? std::numeric_limits<F>::quiet_NaN() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class F>
CUDALABS_INLINE F float_max(F a, F b) {
  if (a != a) return b != b ? std::numeric_limits<F>::quiet_NaN() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class F>
CUDALABS_INLINE F float_min_nan(F a, F b) {
  return a != a || b != b ? std::numeric_limits<F>::quiet_NaN() : float_min(a, b);
}
template <class F>
CUDALABS_INLINE F float_max_nan(F a, F b) {
  return a != a || b != b ? std::numeric_limits<F>::quiet_NaN() : float_max(a, b);
}

CUDALABS_INLINE f32 flush(f32 a) {
  const u32 bits = std::bit_cast<u32>(a);
  return (bits & 0x7F800000u) == 0 ? std::bit_cast<f32>(bits & 0x80000000u) : a;
}
template <class F>
CUDALABS_INLINE F saturate_unit(F a) {
  return a > F{0} ? (a < F{1} ? a : F{1}) : F{0};  // NaN becomes +0
}

// cvt.rzi and its kin, after rounding: out of range saturates, NaN gives 0 (as the hardware does for 32 bits; 64-bit
// NaN gives the sign bit alone, PTX ISA "cvt").
template <class I, class F>
CUDALABS_INLINE I float_to_int(F a) {
  if (a != a) return sizeof(I) == 8 ? static_cast<I>(u64{1} << 63) : I{0};
  constexpr F kLow = static_cast<F>(std::numeric_limits<I>::min());
  constexpr F kHigh = -kLow * (std::is_signed_v<I> ? F{1} : F{0}) +
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

/// Rounds to nearest even at 11 bits, gradually below 2^-14; from double, so that one rounding is all there is.
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

CUDALABS_INLINE f32 bfloat_to_float(u16 b) { return std::bit_cast<f32>(u32{b} << 16); }
CUDALABS_INLINE u16 float_to_bfloat(f32 v) {
  u32 bits = std::bit_cast<u32>(v);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0x7FFF;
  bits += 0x7FFFu + ((bits >> 16) & 1);
  return static_cast<u16>(bits >> 16);
}

}  // namespace cudalabs::sim::scalar
