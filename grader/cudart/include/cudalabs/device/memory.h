#pragma once
// Loads and stores with cache operators, and the address spaces.

#include "cudalabs/vectors.h"
#include "host_defines.h"

// ---- __ldg: through the read-only path, as builtins, so that the compiler can order and combine them ------

#define CUDALABS_LDG(T, suffix, From) \
  CUDALABS_DEVICE T __ldg(const T* place) { return (T)(__nvvm_ldg_##suffix((const From*)place)); }
CUDALABS_LDG(char, c, char)
CUDALABS_LDG(signed char, uc, unsigned char)
CUDALABS_LDG(unsigned char, uc, unsigned char)
CUDALABS_LDG(short, s, short)
CUDALABS_LDG(unsigned short, us, unsigned short)
CUDALABS_LDG(int, i, int)
CUDALABS_LDG(unsigned, ui, unsigned)
CUDALABS_LDG(long, l, long)
CUDALABS_LDG(unsigned long, ul, unsigned long)
CUDALABS_LDG(long long, ll, long long)
CUDALABS_LDG(unsigned long long, ull, unsigned long long)
CUDALABS_LDG(float, f, float)
CUDALABS_LDG(double, d, double)
#undef CUDALABS_LDG

#define CUDALABS_LDG(T, suffix, Element, elements)                            \
  CUDALABS_DEVICE T __ldg(const T* place) {                                   \
    typedef Element Packed __attribute__((ext_vector_type(elements)));        \
    const Packed whole = __nvvm_ldg_##suffix##elements((const Packed*)place); \
    T value;                                                                  \
    __builtin_memcpy(&value, &whole, sizeof value);                           \
    return value;                                                             \
  }
CUDALABS_LDG(char2, c, char, 2)
CUDALABS_LDG(char4, c, char, 4)
CUDALABS_LDG(uchar2, uc, unsigned char, 2)
CUDALABS_LDG(uchar4, uc, unsigned char, 4)
CUDALABS_LDG(short2, s, short, 2)
CUDALABS_LDG(short4, s, short, 4)
CUDALABS_LDG(ushort2, us, unsigned short, 2)
CUDALABS_LDG(ushort4, us, unsigned short, 4)
CUDALABS_LDG(int2, i, int, 2)
CUDALABS_LDG(int4, i, int, 4)
CUDALABS_LDG(uint2, ui, unsigned, 2)
CUDALABS_LDG(uint4, ui, unsigned, 4)
CUDALABS_LDG(longlong2, ll, long long, 2)
CUDALABS_LDG(ulonglong2, ull, unsigned long long, 2)
CUDALABS_LDG(float2, f, float, 2)
CUDALABS_LDG(float4, f, float, 4)
CUDALABS_LDG(double2, d, double, 2)
#undef CUDALABS_LDG

// ---- cache operators -------------------------------------------------------------------------------------

// PTX element type, PTX register, C++ type of that register
#define CUDALABS_EACH_SCALAR(ONE, name, op)                         \
  ONE(name, op, char, "s8", "r", int)                               \
  ONE(name, op, signed char, "s8", "r", int)                        \
  ONE(name, op, unsigned char, "u8", "r", unsigned)                 \
  ONE(name, op, short, "s16", "h", short)                           \
  ONE(name, op, unsigned short, "u16", "h", unsigned short)         \
  ONE(name, op, int, "s32", "r", int)                               \
  ONE(name, op, unsigned, "u32", "r", unsigned)                     \
  ONE(name, op, long, "s64", "l", long)                             \
  ONE(name, op, unsigned long, "u64", "l", unsigned long)           \
  ONE(name, op, long long, "s64", "l", long long)                   \
  ONE(name, op, unsigned long long, "u64", "l", unsigned long long) \
  ONE(name, op, float, "f32", "f", float)                           \
  ONE(name, op, double, "f64", "d", double)
#define CUDALABS_EACH_PAIR(PAIR, name, op)                   \
  PAIR(name, op, char2, "s8", "r", int)                      \
  PAIR(name, op, uchar2, "u8", "r", unsigned)                \
  PAIR(name, op, short2, "s16", "h", short)                  \
  PAIR(name, op, ushort2, "u16", "h", unsigned short)        \
  PAIR(name, op, int2, "s32", "r", int)                      \
  PAIR(name, op, uint2, "u32", "r", unsigned)                \
  PAIR(name, op, longlong2, "s64", "l", long long)           \
  PAIR(name, op, ulonglong2, "u64", "l", unsigned long long) \
  PAIR(name, op, float2, "f32", "f", float)                  \
  PAIR(name, op, double2, "f64", "d", double)
#define CUDALABS_EACH_QUAD(QUAD, name, op)            \
  QUAD(name, op, char4, "s8", "r", int)               \
  QUAD(name, op, uchar4, "u8", "r", unsigned)         \
  QUAD(name, op, short4, "s16", "h", short)           \
  QUAD(name, op, ushort4, "u16", "h", unsigned short) \
  QUAD(name, op, int4, "s32", "r", int)               \
  QUAD(name, op, uint4, "u32", "r", unsigned)         \
  QUAD(name, op, float4, "f32", "f", float)

#define CUDALABS_LOAD_1(name, op, T, type, reg, R)                                            \
  CUDALABS_DEVICE T name(const T* place) {                                                    \
    R x;                                                                                      \
    asm volatile("ld.global." op "." type " %0, [%1];" : "=" reg(x) : "l"(place) : "memory"); \
    return (T)x;                                                                              \
  }
#define CUDALABS_LOAD_2(name, op, T, type, reg, R)              \
  CUDALABS_DEVICE T name(const T* place) {                      \
    R x, y;                                                     \
    asm volatile("ld.global." op ".v2." type " {%0, %1}, [%2];" \
                 : "=" reg(x), "=" reg(y)                       \
                 : "l"(place)                                   \
                 : "memory");                                   \
    return T{decltype(T::x)(x), decltype(T::y)(y)};             \
  }
#define CUDALABS_LOAD_4(name, op, T, type, reg, R)                                        \
  CUDALABS_DEVICE T name(const T* place) {                                                \
    R x, y, z, w;                                                                         \
    asm volatile("ld.global." op ".v4." type " {%0, %1, %2, %3}, [%4];"                   \
                 : "=" reg(x), "=" reg(y), "=" reg(z), "=" reg(w)                         \
                 : "l"(place)                                                             \
                 : "memory");                                                             \
    return T{decltype(T::x)(x), decltype(T::y)(y), decltype(T::z)(z), decltype(T::w)(w)}; \
  }
#define CUDALABS_LOADS(name, op)                  \
  CUDALABS_EACH_SCALAR(CUDALABS_LOAD_1, name, op) \
  CUDALABS_EACH_PAIR(CUDALABS_LOAD_2, name, op)   \
  CUDALABS_EACH_QUAD(CUDALABS_LOAD_4, name, op)
CUDALABS_LOADS(__ldca, "ca")
CUDALABS_LOADS(__ldcg, "cg")
CUDALABS_LOADS(__ldcs, "cs")
CUDALABS_LOADS(__ldlu, "lu")
CUDALABS_LOADS(__ldcv, "cv")

#define CUDALABS_STORE_1(name, op, T, type, reg, R)                                             \
  CUDALABS_DEVICE void name(T* place, T value) {                                                \
    asm volatile("st.global." op "." type " [%0], %1;" ::"l"(place), reg((R)value) : "memory"); \
  }
#define CUDALABS_STORE_2(name, op, T, type, reg, R)                                            \
  CUDALABS_DEVICE void name(T* place, T value) {                                               \
    asm volatile("st.global." op ".v2." type " [%0], {%1, %2};" ::"l"(place), reg((R)value.x), \
                 reg((R)value.y)                                                               \
                 : "memory");                                                                  \
  }
#define CUDALABS_STORE_4(name, op, T, type, reg, R)                                                    \
  CUDALABS_DEVICE void name(T* place, T value) {                                                       \
    asm volatile("st.global." op ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(place), reg((R)value.x), \
                 reg((R)value.y), reg((R)value.z), reg((R)value.w)                                     \
                 : "memory");                                                                          \
  }
#define CUDALABS_STORES(name, op)                  \
  CUDALABS_EACH_SCALAR(CUDALABS_STORE_1, name, op) \
  CUDALABS_EACH_PAIR(CUDALABS_STORE_2, name, op)   \
  CUDALABS_EACH_QUAD(CUDALABS_STORE_4, name, op)
CUDALABS_STORES(__stwb, "wb")
CUDALABS_STORES(__stcg, "cg")
CUDALABS_STORES(__stcs, "cs")
CUDALABS_STORES(__stwt, "wt")

#undef CUDALABS_EACH_SCALAR
#undef CUDALABS_EACH_PAIR
#undef CUDALABS_EACH_QUAD
#undef CUDALABS_LOAD_1
#undef CUDALABS_LOAD_2
#undef CUDALABS_LOAD_4
#undef CUDALABS_LOADS
#undef CUDALABS_STORE_1
#undef CUDALABS_STORE_2
#undef CUDALABS_STORE_4
#undef CUDALABS_STORES

// ---- address spaces --------------------------------------------------------------------------------------

CUDALABS_DEVICE unsigned __isGlobal(const void* pointer) { return __nvvm_isspacep_global(pointer); }
CUDALABS_DEVICE unsigned __isShared(const void* pointer) { return __nvvm_isspacep_shared(pointer); }
CUDALABS_DEVICE unsigned __isConstant(const void* pointer) { return __nvvm_isspacep_const(pointer); }
CUDALABS_DEVICE unsigned __isLocal(const void* pointer) { return __nvvm_isspacep_local(pointer); }

#define CUDALABS_SPACE(name, number)                                      \
  CUDALABS_DEVICE size_t __cvta_generic_to_##name(const void* pointer) {  \
    return (size_t)(void __attribute__((address_space(number)))*)pointer; \
  }                                                                       \
  CUDALABS_DEVICE void* __cvta_##name##_to_generic(size_t address) {      \
    return (void*)(void __attribute__((address_space(number)))*)address;  \
  }
CUDALABS_SPACE(global, 1)
CUDALABS_SPACE(shared, 3)
CUDALABS_SPACE(constant, 4)
CUDALABS_SPACE(local, 5)
#undef CUDALABS_SPACE
