// Integer arithmetic of every width at its edges.
#include "check.cuh"

#define FOR_TYPE(T)                                                                                        \
  BOTH_SIDES(add_##T, T, (T a, T b), static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b)))            \
  BOTH_SIDES(subtract_##T, T, (T a, T b), static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b)))       \
  BOTH_SIDES(multiply_##T, T, (T a, T b), static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b)))       \
  BOTH_SIDES(negate_##T, T, (T a), static_cast<T>(0ull - static_cast<u64>(a)))                             \
  BOTH_SIDES(complement_##T, T, (T a), static_cast<T>(~a))                                                 \
  BOTH_SIDES(both_##T, T, (T a, T b), static_cast<T>(a & b))                                               \
  BOTH_SIDES(either_##T, T, (T a, T b), static_cast<T>(a | b))                                             \
  BOTH_SIDES(exclusive_##T, T, (T a, T b), static_cast<T>(a ^ b))                                          \
  BOTH_SIDES(less_##T, int, (T a, T b), a < b)                                                             \
  BOTH_SIDES(at_most_##T, int, (T a, T b), a <= b)                                                         \
  BOTH_SIDES(equal_##T, int, (T a, T b), a == b)                                                           \
  BOTH_SIDES(smaller_##T, T, (T a, T b), a < b ? a : b)                                                    \
  BOTH_SIDES(larger_##T, T, (T a, T b), a > b ? a : b)                                                     \
  BOTH_SIDES(left_##T, T, (T a, int n), static_cast<T>(static_cast<u64>(a) << (n & (8 * sizeof(T) - 1))))  \
  BOTH_SIDES(right_##T, T, (T a, int n), static_cast<T>(a >> (n & (8 * sizeof(T) - 1))))                   \
  BOTH_SIDES(divide_##T, T, (T a, T b),                                                                    \
             b == 0 ? T(9) : b == static_cast<T>(-1) && std::is_signed_v<T> ? static_cast<T>(0ull - static_cast<u64>(a)) \
                                                                            : static_cast<T>(a / b))       \
  BOTH_SIDES(remainder_##T, T, (T a, T b),                                                                 \
             b == 0 ? T(9) : b == static_cast<T>(-1) && std::is_signed_v<T> ? T(0) : static_cast<T>(a % b)) \
  BOTH_SIDES(mixed_##T, T, (T a, T b), static_cast<T>((a ^ b) + (static_cast<u64>(a) * 31u) - (b >> 1)))

#define CHECK_TYPE(T)                                                                                      \
  {                                                                                                        \
    const auto v = integers<T>();                                                                          \
    std::vector<int> shifts{0, 1, 2, 5, 7, 8, 15, 16, 31, 33, 63};                                         \
    check<add_##T>(v, v); check<subtract_##T>(v, v); check<multiply_##T>(v, v);                            \
    check<negate_##T>(v); check<complement_##T>(v);                                                        \
    check<both_##T>(v, v); check<either_##T>(v, v); check<exclusive_##T>(v, v);                            \
    check<less_##T>(v, v); check<at_most_##T>(v, v); check<equal_##T>(v, v);                               \
    check<smaller_##T>(v, v); check<larger_##T>(v, v);                                                     \
    check<left_##T>(v, shifts); check<right_##T>(v, shifts);                                               \
    check<divide_##T>(v, v); check<remainder_##T>(v, v); check<mixed_##T>(v, v);                           \
    auto without_sign = v; /* a warp of which, by one divisor, is divided otherwise */                     \
    for (T& each : without_sign) each = static_cast<T>(each & std::numeric_limits<std::make_signed_t<T>>::max()); \
    for (const T b : {T(0), T(1), T(2), T(3), T(64), T(T(1) << (8 * sizeof(T) - 2)), T(T(1) << (8 * sizeof(T) - 1))}) { \
      check<divide_##T>(v, std::vector<T>{b}); check<remainder_##T>(v, std::vector<T>{b});                 \
      check<divide_##T>(without_sign, std::vector<T>{b}); check<remainder_##T>(without_sign, std::vector<T>{b}); \
    }                                                                                                      \
  }

FOR_TYPE(u8) FOR_TYPE(s8) FOR_TYPE(u16) FOR_TYPE(s16) FOR_TYPE(u32) FOR_TYPE(s32) FOR_TYPE(u64) FOR_TYPE(s64)

using u128 = unsigned __int128;
using s128 = __int128;
OPERATION(mulhi_s32, s32, (s32 a, s32 b), __mulhi(a, b), static_cast<s32>((s64(a) * b) >> 32))
OPERATION(mulhi_u32, u32, (u32 a, u32 b), __umulhi(a, b), static_cast<u32>((u64(a) * b) >> 32))
OPERATION(mulhi_s64, s64, (s64 a, s64 b), __mul64hi(a, b), static_cast<s64>((s128(a) * b) >> 64))
OPERATION(mulhi_u64, u64, (u64 a, u64 b), __umul64hi(a, b), static_cast<u64>((u128(a) * b) >> 64))
OPERATION(mul24_s, s32, (s32 a, s32 b), __mul24(a, b),
          static_cast<s32>(s64(s32(u32(a) << 8) >> 8) * (s32(u32(b) << 8) >> 8)))
OPERATION(mul24_u, u32, (u32 a, u32 b), __umul24(a, b), (a & 0xFFFFFF) * (b & 0xFFFFFF))
OPERATION(sad_s, u32, (s32 a, s32 b, u32 c), __sad(a, b, c), c + (a < b ? u32(b) - u32(a) : u32(a) - u32(b)))
OPERATION(sad_u, u32, (u32 a, u32 b, u32 c), __usad(a, b, c), c + (a < b ? b - a : a - b))
OPERATION(hadd_s, s32, (s32 a, s32 b), __hadd(a, b), static_cast<s32>((s64(a) + b) >> 1))
OPERATION(rhadd_u, u32, (u32 a, u32 b), __urhadd(a, b), static_cast<u32>((u64(a) + b + 1) >> 1))
OPERATION(abs_s32, s32, (s32 a), abs(a), a == INT32_MIN ? a : a < 0 ? -a : a)
OPERATION(abs_s64, s64, (s64 a), llabs(a), a == INT64_MIN ? a : a < 0 ? -a : a)
BOTH_SIDES(wide_product_high, u64, (u64 a, u64 b), static_cast<u64>((u128(a) * b + (u128(b) << 3)) >> 64))
BOTH_SIDES(wide_sum, u64, (u64 a, u64 b), static_cast<u64>(((u128(a) << 40) + (u128(b) << 33) - a) >> 50))
BOTH_SIDES(wide_quotient, u64, (u64 a, u64 b), static_cast<u64>(((u128(a) << 32) | b) / (u128(b) + 3)))
BOTH_SIDES(wide_remainder, s64, (s64 a, s64 b), static_cast<s64>((s128(a) * 1000003) % (s128(b) * 2 + 1)))

// What C++ leaves undefined, PTX defines.
OPERATION(raw_div_min, s32, (s32 a, s32 b), ({ s32 r; asm("div.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b == 0 ? 1 : b)); r; }),
          b == 0 ? a : b == -1 ? static_cast<s32>(0u - u32(a)) : a / b)
OPERATION(sat_add, s32, (s32 a, s32 b), ({ s32 r; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }),
          s64(a) + b > INT32_MAX ? INT32_MAX : s64(a) + b < INT32_MIN ? INT32_MIN : a + b)
OPERATION(sat_sub, s32, (s32 a, s32 b), ({ s32 r; asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }),
          s64(a) - b > INT32_MAX ? INT32_MAX : s64(a) - b < INT32_MIN ? INT32_MIN : a - b)
OPERATION(mad_hi, s32, (s32 a, s32 b, s32 c), ({ s32 r; asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }),
          static_cast<s32>(u32((s64(a) * b) >> 32) + u32(c)))
s32 saturated(s64 v) { return s32(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v); }
OPERATION(mad_hi_sat, s32, (s32 a, s32 b, s32 c), ({ s32 r; asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }),
          saturated(((s64(a) * b) >> 32) + c))
OPERATION(mad24_hi_sat, s32, (s32 a, s32 b, s32 c), ({ s32 r; asm("mad24.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }),
          saturated(((s64(s32(u32(a) << 8) >> 8) * (s32(u32(b) << 8) >> 8)) >> 16) + c))
OPERATION(reversed_bytes, u32, (u32 a), ({ u32 r; asm("{.reg .b8 x, y, z, w; mov.b32 {x, y, z, w}, %1; mov.b32 %0, {w, z, y, x};}" : "=r"(r) : "r"(a)); r; }),
          __builtin_bswap32(a))
OPERATION(mad_wide, s64, (s32 a, s32 b, s64 c), ({ s64 r; asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); r; }),
          static_cast<s64>(u64(s64(a) * b) + u64(c)))
OPERATION(mad_wide_u, u64, (u32 a, u32 b, u64 c), ({ u64 r; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); r; }),
          u64(a) * b + c)
OPERATION(mad24, s32, (s32 a, s32 b, s32 c), ({ s32 r; asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }),
          static_cast<s32>(u32(s64(s32(u32(a) << 8) >> 8) * (s32(u32(b) << 8) >> 8)) + u32(c)))
OPERATION(mad24_hi, u32, (u32 a, u32 b, u32 c), ({ u32 r; asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }),
          static_cast<u32>((u64(a & 0xFFFFFF) * (b & 0xFFFFFF)) >> 16) + c)
OPERATION(sad_u16, u16, (u16 a, u16 b, u16 c), ({ u16 r; asm("sad.u16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c)); r; }),
          static_cast<u16>(c + (a < b ? b - a : a - b)))
OPERATION(sad_s64, s64, (s64 a, s64 b, s64 c), ({ s64 r; asm("sad.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "l"(b), "l"(c)); r; }),
          static_cast<s64>(u64(c) + (a < b ? u64(b) - u64(a) : u64(a) - u64(b))))
// 96-bit addition and subtraction by carry chains: the top word of (a, b, c) + (c, a, b).
OPERATION(carry_chain, u32, (u32 a, u32 b, u32 c),
          ({ u32 x, y, z; asm("add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %3; addc.u32 %2, %5, %4;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); x ^ (y << 1) ^ (z << 2); }),
          ({ const u128 s = ((u128(c) << 64) | (u128(b) << 32) | a) + ((u128(b) << 64) | (u128(a) << 32) | c);
             u32(s) ^ (u32(s >> 32) << 1) ^ (u32(s >> 64) << 2); }))
OPERATION(borrow_chain, u32, (u32 a, u32 b, u32 c),
          ({ u32 x, y, z; asm("sub.cc.u32 %0, %3, %5; subc.cc.u32 %1, %4, %3; subc.u32 %2, %5, %4;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); x ^ (y << 1) ^ (z << 2); }),
          ({ const u128 s = ((u128(c) << 64) | (u128(b) << 32) | a) - ((u128(b) << 64) | (u128(a) << 32) | c);
             u32(s) ^ (u32(s >> 32) << 1) ^ (u32(s >> 64) << 2); }))
// What a subtraction leaves in the carry flag: set when nothing was borrowed.
OPERATION(borrow_flag, u32, (u32 a, u32 b), ({ u32 f; asm("{.reg .u32 d; sub.cc.u32 d, %1, %2; addc.u32 %0, 0, 0;}" : "=r"(f) : "r"(a), "r"(b)); f; }), a >= b ? 1 : 0)
OPERATION(mad_chain, u64, (u32 a, u32 b, u64 c),
          ({ u32 lo = u32(c), hi = u32(c >> 32); asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;" : "+r"(lo), "+r"(hi) : "r"(a), "r"(b)); (u64(hi) << 32) | lo; }),
          u64(a) * b + c)

int main() {
  CHECK_TYPE(u8) CHECK_TYPE(s8) CHECK_TYPE(u16) CHECK_TYPE(s16) CHECK_TYPE(u32) CHECK_TYPE(s32) CHECK_TYPE(u64) CHECK_TYPE(s64)
  const auto a = integers<s32>();
  const auto b = integers<u32>();
  const auto c = integers<s64>();
  const auto d = integers<u64>();
  const std::vector<u32> few{0, 1, 77777, 0xFFFFFFFF, 0x80000000};
  check<mulhi_s32>(a, a); check<mulhi_u32>(b, b); check<mulhi_s64>(c, c); check<mulhi_u64>(d, d);
  check<mul24_s>(a, a); check<mul24_u>(b, b); check<sad_s>(a, a, few); check<sad_u>(b, b, few);
  check<hadd_s>(a, a); check<rhadd_u>(b, b); check<abs_s32>(a); check<abs_s64>(c);
  check<wide_product_high>(d, d); check<wide_sum>(d, d); check<wide_quotient>(d, d); check<wide_remainder>(c, c);
  check<raw_div_min>(a, a); check<sat_add>(a, a); check<sat_sub>(a, a);
  check<mad_hi>(a, a, std::vector<s32>{0, -1, 12345}); check<mad_wide>(a, a, std::vector<s64>{0, -1, 1234567890123});
  check<mad_hi_sat>(a, a, std::vector<s32>{0, INT32_MIN, INT32_MAX, -5}); check<reversed_bytes>(b);
  check<mad24_hi_sat>(a, a, std::vector<s32>{0, INT32_MIN, INT32_MAX, -5});
  check<mad_wide_u>(b, b, std::vector<u64>{0, ~0ull, 1234567890123});
  check<mad24>(a, a, std::vector<s32>{0, -1, 12345}); check<mad24_hi>(b, b, few);
  check<sad_u16>(integers<u16>(), integers<u16>(), std::vector<u16>{0, 65535, 7});
  check<sad_s64>(c, c, std::vector<s64>{0, -1, 7});
  check<carry_chain>(b, b, b); check<borrow_chain>(b, b, b); check<borrow_flag>(b, b); check<mad_chain>(b, b, d);
  return finish();
}
