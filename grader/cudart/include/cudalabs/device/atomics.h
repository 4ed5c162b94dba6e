#pragma once
// Atomic functions. Scope without a suffix: the device; _block: the block; _system: also the
// host.

#include "host_defines.h"

// OPERATION and CAS make one function. Arguments: name, suffix, type, PTX type, register, and the type and
// name of clang's builtin.
#define CUDALABS_ATOMIC_LIST(OPERATION, CAS, suffix)                                                   \
  OPERATION(Add, add, suffix, int, "s32", "r", int, add_gen_i)                                         \
  OPERATION(Add, add, suffix, unsigned, "u32", "r", int, add_gen_i)                                    \
  OPERATION(Add, add, suffix, unsigned long long, "u64", "l", long long, add_gen_ll)                   \
  OPERATION(Add, add, suffix, float, "f32", "f", float, add_gen_f)                                     \
  OPERATION(Add, add, suffix, double, "f64", "d", double, add_gen_d)                                   \
  OPERATION(Exch, exch, suffix, int, "b32", "r", int, xchg_gen_i)                                      \
  OPERATION(Exch, exch, suffix, unsigned, "b32", "r", int, xchg_gen_i)                                 \
  OPERATION(Exch, exch, suffix, unsigned long long, "b64", "l", long long, xchg_gen_ll)                \
  OPERATION(Min, min, suffix, int, "s32", "r", int, min_gen_i)                                         \
  OPERATION(Min, min, suffix, unsigned, "u32", "r", unsigned, min_gen_ui)                              \
  OPERATION(Min, min, suffix, long long, "s64", "l", long long, min_gen_ll)                            \
  OPERATION(Min, min, suffix, unsigned long long, "u64", "l", unsigned long long, min_gen_ull)         \
  OPERATION(Max, max, suffix, int, "s32", "r", int, max_gen_i)                                         \
  OPERATION(Max, max, suffix, unsigned, "u32", "r", unsigned, max_gen_ui)                              \
  OPERATION(Max, max, suffix, long long, "s64", "l", long long, max_gen_ll)                            \
  OPERATION(Max, max, suffix, unsigned long long, "u64", "l", unsigned long long, max_gen_ull)         \
  OPERATION(Inc, inc, suffix, unsigned, "u32", "r", unsigned, inc_gen_ui)                              \
  OPERATION(Dec, dec, suffix, unsigned, "u32", "r", unsigned, dec_gen_ui)                              \
  OPERATION(And, and, suffix, int, "b32", "r", int, and_gen_i)                                         \
  OPERATION(And, and, suffix, unsigned, "b32", "r", int, and_gen_i)                                    \
  OPERATION(And, and, suffix, unsigned long long, "b64", "l", long long, and_gen_ll)                   \
  OPERATION(Or, or, suffix, int, "b32", "r", int, or_gen_i)                                            \
  OPERATION(Or, or, suffix, unsigned, "b32", "r", int, or_gen_i)                                       \
  OPERATION(Or, or, suffix, unsigned long long, "b64", "l", long long, or_gen_ll)                      \
  OPERATION(Xor, xor, suffix, int, "b32", "r", int, xor_gen_i)                                         \
  OPERATION(Xor, xor, suffix, unsigned, "b32", "r", int, xor_gen_i)                                    \
  OPERATION(Xor, xor, suffix, unsigned long long, "b64", "l", long long, xor_gen_ll)                   \
  CAS(suffix, int, "b32", "r", int, cas_gen_i)                                                         \
  CAS(suffix, unsigned, "b32", "r", int, cas_gen_i)                                                    \
  CAS(suffix, unsigned long long, "b64", "l", long long, cas_gen_ll)                                   \
  CUDALABS_DEVICE int atomicSub##suffix(int* place, int value) {                                       \
    return int(atomicAdd##suffix((unsigned*)place, 0u - unsigned(value)));                             \
  }                                                                                                    \
  CUDALABS_DEVICE unsigned atomicSub##suffix(unsigned* place, unsigned value) {                        \
    return atomicAdd##suffix(place, 0u - value);                                                       \
  }                                                                                                    \
  CUDALABS_DEVICE float atomicExch##suffix(float* place, float value) {                                \
    return __builtin_bit_cast(float, atomicExch##suffix((int*)place, __builtin_bit_cast(int, value))); \
  }

// Device scope: builtins, so that the compiler sees which memory they access.
#define CUDALABS_ATOMIC(name, word, suffix, T, type, reg, As, builtin) \
  CUDALABS_DEVICE T atomic##name(T* place, T value) {                  \
    return (T)__nvvm_atom_##builtin((As*)place, (As)value);            \
  }
#define CUDALABS_ATOMIC_CAS(suffix, T, type, reg, As, builtin)            \
  CUDALABS_DEVICE T atomicCAS(T* place, T expected, T value) {            \
    return (T)__nvvm_atom_##builtin((As*)place, (As)expected, (As)value); \
  }
CUDALABS_ATOMIC_LIST(CUDALABS_ATOMIC, CUDALABS_ATOMIC_CAS, )

// Other scopes: clang 14's builtins compare unsigned numbers as signed ones.
#define CUDALABS_SCOPED(name, word, suffix, T, type, reg, As, builtin)              \
  CUDALABS_DEVICE T atomic##name##suffix(T* place, T value) {                       \
    T old;                                                                          \
    asm volatile("atom." CUDALABS_SCOPE##suffix "." #word "." type " %0, [%1], %2;" \
                 : "=" reg(old)                                                     \
                 : "l"(place), reg(value)                                           \
                 : "memory");                                                       \
    return old;                                                                     \
  }
#define CUDALABS_SCOPED_CAS(suffix, T, type, reg, As, builtin)                    \
  CUDALABS_DEVICE T atomicCAS##suffix(T* place, T expected, T value) {            \
    T old;                                                                        \
    asm volatile("atom." CUDALABS_SCOPE##suffix ".cas." type " %0, [%1], %2, %3;" \
                 : "=" reg(old)                                                   \
                 : "l"(place), reg(expected), reg(value)                          \
                 : "memory");                                                     \
    return old;                                                                   \
  }
#define CUDALABS_SCOPE_block "cta"
#define CUDALABS_SCOPE_system "sys"
CUDALABS_ATOMIC_LIST(CUDALABS_SCOPED, CUDALABS_SCOPED_CAS, _block)
CUDALABS_ATOMIC_LIST(CUDALABS_SCOPED, CUDALABS_SCOPED_CAS, _system)

CUDALABS_DEVICE unsigned short atomicCAS(unsigned short* place, unsigned short expected,
                                         unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(place), "h"(expected), "h"(value)
               : "memory");
  return old;
}

#undef CUDALABS_ATOMIC_LIST
#undef CUDALABS_ATOMIC
#undef CUDALABS_ATOMIC_CAS
#undef CUDALABS_SCOPED
#undef CUDALABS_SCOPED_CAS
#undef CUDALABS_SCOPE_block
#undef CUDALABS_SCOPE_system
