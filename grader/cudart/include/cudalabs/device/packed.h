#pragma once
// Operations on two half-words or four bytes in one word, and the three-operand minima and maxima of dynamic
// programming (DPX). The cards that we compile for need several instructions for most of these, so the code
// computes lane by lane and leaves the rest to the compiler.

#include "host_defines.h"

namespace cudalabs::packed {

template <class Lane>
struct Range;
template <>
struct Range<signed char> {
  static constexpr int bits = 8, least = -0x80, most = 0x7f;
};
template <>
struct Range<unsigned char> {
  static constexpr int bits = 8, least = 0, most = 0xff;
};
template <>
struct Range<short> {
  static constexpr int bits = 16, least = -0x8000, most = 0x7fff;
};
template <>
struct Range<unsigned short> {
  static constexpr int bits = 16, least = 0, most = 0xffff;
};

template <class Lane>
CUDALABS_HOST_DEVICE int lane(unsigned word, int shift) {
  return Lane(word >> shift);
}
template <class Lane>
CUDALABS_HOST_DEVICE unsigned at(int value, int shift) {
  return (unsigned(value) & ((1u << Range<Lane>::bits) - 1)) << shift;
}
/// The nearest value that fits a lane.
template <class Lane>
CUDALABS_HOST_DEVICE int saturated(int value) {
  return value < Range<Lane>::least  ? Range<Lane>::least
         : value > Range<Lane>::most ? Range<Lane>::most
                                     : value;
}

}  // namespace cudalabs::packed

// For each lane: x and y are its values, `what` the result, which is truncated to the lane's width.
#define CUDALABS_PACKED(WHERE, name, Lane, what)                                      \
  WHERE unsigned name(unsigned a, unsigned b) {                                       \
    unsigned result = 0;                                                              \
    for (int shift = 0; shift < 32; shift += ::cudalabs::packed::Range<Lane>::bits) { \
      const int x = ::cudalabs::packed::lane<Lane>(a, shift);                         \
      const int y = ::cudalabs::packed::lane<Lane>(b, shift);                         \
      result |= ::cudalabs::packed::at<Lane>(what, shift);                            \
    }                                                                                 \
    return result;                                                                    \
  }
#define CUDALABS_PACKED_2(name, Lane, what) CUDALABS_PACKED(CUDALABS_DEVICE, name, Lane, what)
#define CUDALABS_PACKED_1(name, Lane, what)                                           \
  CUDALABS_DEVICE unsigned name(unsigned a) {                                         \
    unsigned result = 0;                                                              \
    for (int shift = 0; shift < 32; shift += ::cudalabs::packed::Range<Lane>::bits) { \
      const int x = ::cudalabs::packed::lane<Lane>(a, shift);                         \
      result |= ::cudalabs::packed::at<Lane>(what, shift);                            \
    }                                                                                 \
    return result;                                                                    \
  }
#define CUDALABS_PACKED_SUM(name, Lane, what)                                         \
  CUDALABS_DEVICE unsigned name(unsigned a, unsigned b) {                             \
    unsigned result = 0;                                                              \
    for (int shift = 0; shift < 32; shift += ::cudalabs::packed::Range<Lane>::bits) { \
      const int x = ::cudalabs::packed::lane<Lane>(a, shift);                         \
      const int y = ::cudalabs::packed::lane<Lane>(b, shift);                         \
      result += unsigned(what);                                                       \
    }                                                                                 \
    return result;                                                                    \
  }
// A comparison: all ones, or 1.
#define CUDALABS_PACKED_COMPARISON(name, Lane, holds)     \
  CUDALABS_PACKED_2(__vcmp##name, Lane, (holds) ? -1 : 0) \
  CUDALABS_PACKED_2(__vset##name, Lane, (holds) ? 1 : 0)

#define CUDALABS_PACKED_ALL(lanes, S, U)                                                  \
  CUDALABS_PACKED_1(__vabs##lanes, S, x < 0 ? -x : x)                                     \
  CUDALABS_PACKED_1(__vabsss##lanes, S, ::cudalabs::packed::saturated<S>(x < 0 ? -x : x)) \
  CUDALABS_PACKED_1(__vneg##lanes, S, -x)                                                 \
  CUDALABS_PACKED_1(__vnegss##lanes, S, ::cudalabs::packed::saturated<S>(-x))             \
  CUDALABS_PACKED_2(__vadd##lanes, U, x + y)                                              \
  CUDALABS_PACKED_2(__vaddss##lanes, S, ::cudalabs::packed::saturated<S>(x + y))          \
  CUDALABS_PACKED_2(__vaddus##lanes, U, ::cudalabs::packed::saturated<U>(x + y))          \
  CUDALABS_PACKED_2(__vsub##lanes, U, x - y)                                              \
  CUDALABS_PACKED_2(__vsubss##lanes, S, ::cudalabs::packed::saturated<S>(x - y))          \
  CUDALABS_PACKED_2(__vsubus##lanes, U, ::cudalabs::packed::saturated<U>(x - y))          \
  CUDALABS_PACKED_2(__vavgs##lanes, S, (x + y + (x + y >= 0)) >> 1)                       \
  CUDALABS_PACKED_2(__vavgu##lanes, U, (x + y + 1) >> 1)                                  \
  CUDALABS_PACKED_2(__vhaddu##lanes, U, (x + y) >> 1)                                     \
  CUDALABS_PACKED_2(__vmaxs##lanes, S, x > y ? x : y)                                     \
  CUDALABS_PACKED_2(__vmaxu##lanes, U, x > y ? x : y)                                     \
  CUDALABS_PACKED_2(__vmins##lanes, S, x < y ? x : y)                                     \
  CUDALABS_PACKED_2(__vminu##lanes, U, x < y ? x : y)                                     \
  CUDALABS_PACKED_2(__vabsdiffs##lanes, S, x > y ? x - y : y - x)                         \
  CUDALABS_PACKED_2(__vabsdiffu##lanes, U, x > y ? x - y : y - x)                         \
  CUDALABS_PACKED_SUM(__vsads##lanes, S, x > y ? x - y : y - x)                           \
  CUDALABS_PACKED_SUM(__vsadu##lanes, U, x > y ? x - y : y - x)                           \
  CUDALABS_PACKED_COMPARISON(eq##lanes, U, x == y)                                        \
  CUDALABS_PACKED_COMPARISON(ne##lanes, U, x != y)                                        \
  CUDALABS_PACKED_COMPARISON(ges##lanes, S, x >= y)                                       \
  CUDALABS_PACKED_COMPARISON(geu##lanes, U, x >= y)                                       \
  CUDALABS_PACKED_COMPARISON(gts##lanes, S, x > y)                                        \
  CUDALABS_PACKED_COMPARISON(gtu##lanes, U, x > y)                                        \
  CUDALABS_PACKED_COMPARISON(les##lanes, S, x <= y)                                       \
  CUDALABS_PACKED_COMPARISON(leu##lanes, U, x <= y)                                       \
  CUDALABS_PACKED_COMPARISON(lts##lanes, S, x < y)                                        \
  CUDALABS_PACKED_COMPARISON(ltu##lanes, U, x < y)
CUDALABS_PACKED_ALL(2, short, unsigned short)
CUDALABS_PACKED_ALL(4, signed char, unsigned char)

// ---- DPX: a maximum or minimum, after a sum (iadd), of three, not below zero (relu), or with whose it was (b) --------

#define CUDALABS_DPX_WORD(T, suffix, name, better)                       \
  CUDALABS_HOST_DEVICE T __vi##name##3_##suffix(T a, T b, T c) {         \
    const T first = a better b ? a : b;                                  \
    return first better c ? first : c;                                   \
  }                                                                      \
  CUDALABS_HOST_DEVICE T __viadd##name##_##suffix(T a, T b, T c) {       \
    const T sum = T(unsigned(a) + unsigned(b));                          \
    return sum better c ? sum : c;                                       \
  }                                                                      \
  CUDALABS_HOST_DEVICE T __vib##name##_##suffix(T a, T b, bool* first) { \
    *first = a better## = b;                                             \
    return *first ? a : b;                                               \
  }
#define CUDALABS_DPX_WORD_RELU(name, better)                               \
  CUDALABS_HOST_DEVICE int __vi##name##_s32_relu(int a, int b) {           \
    const int best = a better b ? a : b;                                   \
    return best > 0 ? best : 0;                                            \
  }                                                                        \
  CUDALABS_HOST_DEVICE int __vi##name##3_s32_relu(int a, int b, int c) {   \
    return __vi##name##_s32_relu(a better b ? a : b, c);                   \
  }                                                                        \
  CUDALABS_HOST_DEVICE int __viadd##name##_s32_relu(int a, int b, int c) { \
    return __vi##name##_s32_relu(int(unsigned(a) + unsigned(b)), c);       \
  }
// One word of two half-words: first what two operands give, then the rest from that.
#define CUDALABS_DPX_PAIR(Lane, suffix, name, better)                                                   \
  CUDALABS_PACKED(CUDALABS_HOST_DEVICE, cudalabs_##name##_##suffix, Lane, x better y ? x : y)           \
  CUDALABS_HOST_DEVICE unsigned __vi##name##3_##suffix(unsigned a, unsigned b, unsigned c) {            \
    return cudalabs_##name##_##suffix(cudalabs_##name##_##suffix(a, b), c);                             \
  }                                                                                                     \
  CUDALABS_HOST_DEVICE unsigned __viadd##name##_##suffix(unsigned a, unsigned b, unsigned c) {          \
    return cudalabs_##name##_##suffix(cudalabs_add_u16x2(a, b), c);                                     \
  }                                                                                                     \
  CUDALABS_HOST_DEVICE unsigned __vib##name##_##suffix(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = ::cudalabs::packed::lane<Lane>(a, 16) better## = ::cudalabs::packed::lane<Lane>(b, 16);     \
    *low = ::cudalabs::packed::lane<Lane>(a, 0) better## = ::cudalabs::packed::lane<Lane>(b, 0);        \
    return cudalabs_##name##_##suffix(a, b);                                                            \
  }
#define CUDALABS_DPX_PAIR_RELU(name)                                                             \
  CUDALABS_HOST_DEVICE unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) {                \
    return cudalabs_max_s16x2(cudalabs_##name##_s16x2(a, b), 0);                                 \
  }                                                                                              \
  CUDALABS_HOST_DEVICE unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
    return cudalabs_max_s16x2(__vi##name##3_s16x2(a, b, c), 0);                                  \
  }                                                                                              \
  CUDALABS_HOST_DEVICE unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
    return cudalabs_max_s16x2(__viadd##name##_s16x2(a, b, c), 0);                                \
  }
CUDALABS_DPX_WORD(int, s32, max, >)
CUDALABS_DPX_WORD(int, s32, min, <)
CUDALABS_DPX_WORD(unsigned, u32, max, >)
CUDALABS_DPX_WORD(unsigned, u32, min, <)
CUDALABS_DPX_WORD_RELU(max, >)
CUDALABS_DPX_WORD_RELU(min, <)
CUDALABS_PACKED(CUDALABS_HOST_DEVICE, cudalabs_add_u16x2, unsigned short, x + y)
CUDALABS_DPX_PAIR(short, s16x2, max, >)
CUDALABS_DPX_PAIR(short, s16x2, min, <)
CUDALABS_DPX_PAIR(unsigned short, u16x2, max, >)
CUDALABS_DPX_PAIR(unsigned short, u16x2, min, <)
CUDALABS_DPX_PAIR_RELU(max)
CUDALABS_DPX_PAIR_RELU(min)

#undef CUDALABS_PACKED
#undef CUDALABS_PACKED_1
#undef CUDALABS_PACKED_2
#undef CUDALABS_PACKED_SUM
#undef CUDALABS_PACKED_COMPARISON
#undef CUDALABS_PACKED_ALL
#undef CUDALABS_DPX_WORD
#undef CUDALABS_DPX_WORD_RELU
#undef CUDALABS_DPX_PAIR
#undef CUDALABS_DPX_PAIR_RELU
