#pragma once
// Integer functions and bit operations.

#include "host_defines.h"

CUDALABS_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
CUDALABS_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDALABS_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
CUDALABS_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
CUDALABS_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
CUDALABS_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDALABS_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
CUDALABS_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
CUDALABS_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  return __nvvm_fns(mask, base, offset);
}

CUDALABS_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  return __nvvm_prmt(x, y, selector & 0x7777);  // the fourth bit of each digit has no meaning here
}
CUDALABS_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
CUDALABS_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
CUDALABS_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
CUDALABS_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}

CUDALABS_DEVICE int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
CUDALABS_DEVICE unsigned __umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
CUDALABS_DEVICE int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
CUDALABS_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return __nvvm_mulhi_ui(x, y); }
CUDALABS_DEVICE long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
CUDALABS_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}

CUDALABS_DEVICE unsigned __sad(int x, int y, unsigned z) { return __nvvm_sad_i(x, y, z); }
CUDALABS_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return __nvvm_sad_ui(x, y, z); }

// The mean of two numbers without overflow, rounded down, or (r) up.
CUDALABS_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
CUDALABS_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
CUDALABS_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
CUDALABS_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }

// Sums of products of bytes (dp4a), and of half-words with the lower or upper two bytes (dp2a).
#define CUDALABS_DOT(name, R, A, B, instruction)                                   \
  CUDALABS_DEVICE R name(A a, B b, R sum) {                                        \
    R result;                                                                      \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum)); \
    return result;                                                                 \
  }
#define CUDALABS_DOT_PACKED(name, R, A, B, instruction)                                \
  CUDALABS_DEVICE R name(A a, B b, R sum) {                                            \
    R result;                                                                          \
    asm(instruction " %0, %1, %2, %3;"                                                 \
        : "=r"(result)                                                                 \
        : "r"(__builtin_bit_cast(int, a)), "r"(__builtin_bit_cast(int, b)), "r"(sum)); \
    return result;                                                                     \
  }
CUDALABS_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
CUDALABS_DOT(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
CUDALABS_DOT_PACKED(__dp4a, int, char4, char4, "dp4a.s32.s32")
CUDALABS_DOT_PACKED(__dp4a, unsigned, uchar4, uchar4, "dp4a.u32.u32")
CUDALABS_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
CUDALABS_DOT(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
CUDALABS_DOT_PACKED(__dp2a_lo, int, short2, char4, "dp2a.lo.s32.s32")
CUDALABS_DOT_PACKED(__dp2a_lo, unsigned, ushort2, uchar4, "dp2a.lo.u32.u32")
CUDALABS_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
CUDALABS_DOT(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
CUDALABS_DOT_PACKED(__dp2a_hi, int, short2, char4, "dp2a.hi.s32.s32")
CUDALABS_DOT_PACKED(__dp2a_hi, unsigned, ushort2, uchar4, "dp2a.hi.u32.u32")
#undef CUDALABS_DOT
#undef CUDALABS_DOT_PACKED
