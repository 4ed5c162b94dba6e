#pragma once
// Barriers, fences, and the warp's shuffles, votes and other collective operations.

#include "host_defines.h"

// Operations that order memory are inline assembly, not builtins: clang 14 assumes that a builtin changes no
// __shared__ variable whose address is not taken, and moves its loads above the barrier. clang itself defines
// __syncthreads(), so the name is a macro.
CUDALABS_DEVICE void __cudalabs_syncthreads() { asm volatile("bar.sync 0;" : : : "memory"); }
#define __syncthreads() __cudalabs_syncthreads()
#define CUDALABS_SYNCTHREADS(name, reduction)                             \
  CUDALABS_DEVICE int name(int predicate) {                               \
    int result;                                                           \
    asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; " reduction "}" \
                 : "=r"(result)                                           \
                 : "r"(predicate)                                         \
                 : "memory");                                             \
    return result;                                                        \
  }
CUDALABS_SYNCTHREADS(__syncthreads_count, "bar.red.popc.u32 %0, 0, p;")
CUDALABS_SYNCTHREADS(__syncthreads_and, "bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q;")
CUDALABS_SYNCTHREADS(__syncthreads_or, "bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q;")
#undef CUDALABS_SYNCTHREADS
CUDALABS_DEVICE void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" : : "r"(id) : "memory"); }
CUDALABS_DEVICE void __barrier_sync_count(unsigned id, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
CUDALABS_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}

CUDALABS_DEVICE void __threadfence() { asm volatile("membar.gl;" : : : "memory"); }
CUDALABS_DEVICE void __threadfence_block() { asm volatile("membar.cta;" : : : "memory"); }
CUDALABS_DEVICE void __threadfence_system() { asm volatile("membar.sys;" : : : "memory"); }

CUDALABS_DEVICE int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
CUDALABS_DEVICE int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
CUDALABS_DEVICE int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
CUDALABS_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
CUDALABS_DEVICE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

// The third operand of shfl holds the segment (from the width) and the last lane that may be read. 64-bit
// values are split and joined by mov, as nvcc does: that is no arithmetic.
#define CUDALABS_SHUFFLE(name, instruction, last_lane, Lane)                                          \
  CUDALABS_DEVICE int name(unsigned mask, int value, Lane lane, int width = 32) {                     \
    return __nvvm_shfl_sync_##instruction##_i32(mask, value, lane, ((32 - width) << 8) | last_lane);  \
  }                                                                                                   \
  CUDALABS_DEVICE float name(unsigned mask, float value, Lane lane, int width = 32) {                 \
    return __nvvm_shfl_sync_##instruction##_f32(mask, value, lane, ((32 - width) << 8) | last_lane);  \
  }                                                                                                   \
  CUDALABS_DEVICE unsigned name(unsigned mask, unsigned value, Lane lane, int width = 32) {           \
    return unsigned(name(mask, int(value), lane, width));                                             \
  }                                                                                                   \
  CUDALABS_DEVICE long long name(unsigned mask, long long value, Lane lane, int width = 32) {         \
    int low, high;                                                                                    \
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(value));                                \
    low = name(mask, low, lane, width);                                                               \
    high = name(mask, high, lane, width);                                                             \
    asm("mov.b64 %0, {%1, %2};" : "=l"(value) : "r"(low), "r"(high));                                 \
    return value;                                                                                     \
  }                                                                                                   \
  CUDALABS_DEVICE unsigned long long name(unsigned mask, unsigned long long value, Lane lane,         \
                                          int width = 32) {                                           \
    return (unsigned long long)name(mask, (long long)value, lane, width);                             \
  }                                                                                                   \
  CUDALABS_DEVICE long name(unsigned mask, long value, Lane lane, int width = 32) {                   \
    return long(name(mask, (long long)value, lane, width));                                           \
  }                                                                                                   \
  CUDALABS_DEVICE unsigned long name(unsigned mask, unsigned long value, Lane lane, int width = 32) { \
    return (unsigned long)name(mask, (long long)value, lane, width);                                  \
  }                                                                                                   \
  CUDALABS_DEVICE double name(unsigned mask, double value, Lane lane, int width = 32) {               \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, value), lane, width)); \
  }
CUDALABS_SHUFFLE(__shfl_sync, idx, 31, int)
CUDALABS_SHUFFLE(__shfl_up_sync, up, 0, unsigned)
CUDALABS_SHUFFLE(__shfl_down_sync, down, 31, unsigned)
CUDALABS_SHUFFLE(__shfl_xor_sync, bfly, 31, int)
#undef CUDALABS_SHUFFLE

// Lanes whose values have the same bits. Not clang's builtins: clang 14 makes invalid PTX of them for 64
// bits.
#define CUDALABS_MATCH(T, Bits, type, reg)                                                           \
  CUDALABS_DEVICE unsigned __match_any_sync(unsigned mask, T value) {                                \
    unsigned lanes;                                                                                  \
    asm volatile("match.any.sync." type " %0, %1, %2;"                                               \
                 : "=r"(lanes)                                                                       \
                 : reg(__builtin_bit_cast(Bits, value)), "r"(mask));                                 \
    return lanes;                                                                                    \
  }                                                                                                  \
  CUDALABS_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* predicate) {                \
    unsigned lanes;                                                                                  \
    asm volatile("{.reg .pred all; match.all.sync." type " %0|all, %2, %3; selp.s32 %1, 1, 0, all;}" \
                 : "=r"(lanes), "=r"(*predicate)                                                     \
                 : reg(__builtin_bit_cast(Bits, value)), "r"(mask));                                 \
    return lanes;                                                                                    \
  }
CUDALABS_MATCH(int, unsigned, "b32", "r")
CUDALABS_MATCH(unsigned, unsigned, "b32", "r")
CUDALABS_MATCH(float, unsigned, "b32", "r")
CUDALABS_MATCH(long, long long, "b64", "l")
CUDALABS_MATCH(unsigned long, long long, "b64", "l")
CUDALABS_MATCH(long long, long long, "b64", "l")
CUDALABS_MATCH(unsigned long long, long long, "b64", "l")
CUDALABS_MATCH(double, long long, "b64", "l")
#undef CUDALABS_MATCH

CUDALABS_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return unsigned(__nvvm_redux_sync_add(int(value), int(mask)));
}
CUDALABS_DEVICE int __reduce_add_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_add(value, int(mask));
}
CUDALABS_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umin(value, int(mask));
}
CUDALABS_DEVICE int __reduce_min_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_min(value, int(mask));
}
CUDALABS_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umax(value, int(mask));
}
CUDALABS_DEVICE int __reduce_max_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_max(value, int(mask));
}
CUDALABS_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return unsigned(__nvvm_redux_sync_and(int(value), int(mask)));
}
CUDALABS_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return unsigned(__nvvm_redux_sync_or(int(value), int(mask)));
}
CUDALABS_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return unsigned(__nvvm_redux_sync_xor(int(value), int(mask)));
}
