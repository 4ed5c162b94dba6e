#pragma once
// CUDA's vector types, dim3, and their make functions. Alignments are those of nvcc.

#include "host_defines.h"

// On the device, a type with an alignment of 16 bytes is assigned by 16-byte accesses: clang leaves the copy
// of such a struct to the code generator, which makes two accesses. Copies into variables need no help: their
// parts are loaded separately and joined again.
#ifdef __CUDA_ARCH__
typedef float cudalabs_whole __attribute__((vector_size(16), may_alias));
#define CUDALABS_ASSIGNMENT_16(name, by_parts)                                                             \
  __host__ __device__ __attribute__((always_inline, nodebug)) constexpr name& operator=(const name& o) {   \
    if (__builtin_is_constant_evaluated()) {                                                               \
      by_parts;                                                                                            \
    } else {                                                                                               \
      for (unsigned part = 0; part < sizeof(name) / 16; ++part)                                            \
        reinterpret_cast<cudalabs_whole*>(this)[part] = reinterpret_cast<const cudalabs_whole*>(&o)[part]; \
    }                                                                                                      \
    return *this;                                                                                          \
  }
#else
#define CUDALABS_ASSIGNMENT_16(name, by_parts)
#endif
#define CUDALABS_ASSIGNMENT_32 CUDALABS_ASSIGNMENT_16
#define CUDALABS_ASSIGNMENT_8(name, by_parts)  // trivial, as with nvcc
#define CUDALABS_ASSIGNMENT_4 CUDALABS_ASSIGNMENT_8
#define CUDALABS_ASSIGNMENT_2 CUDALABS_ASSIGNMENT_8

#ifdef __cplusplus
#define CUDALABS_OF(name) name
#else
#define CUDALABS_OF(name) (name)
#endif
#define CUDALABS_VECTOR_1(name, T) \
  typedef struct name {            \
    T x;                           \
  } name;                          \
  CUDALABS_HOST_DEVICE name make_##name(T x) { return CUDALABS_OF(name){x}; }
#define CUDALABS_VECTOR_2(name, T, bytes)                 \
  typedef struct __align__(bytes) name {                  \
    T x, y;                                               \
    CUDALABS_ASSIGNMENT_##bytes(name, (x = o.x, y = o.y)) \
  }                                                       \
  name;                                                   \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y) { return CUDALABS_OF(name){x, y}; }
#define CUDALABS_VECTOR_3(name, T) \
  typedef struct name {            \
    T x, y, z;                     \
  } name;                          \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y, T z) { return CUDALABS_OF(name){x, y, z}; }
#define CUDALABS_VECTOR_4(name, T, bytes)                                   \
  typedef struct __align__(bytes) name {                                    \
    T x, y, z, w;                                                           \
    CUDALABS_ASSIGNMENT_##bytes(name, (x = o.x, y = o.y, z = o.z, w = o.w)) \
  }                                                                         \
  name;                                                                     \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y, T z, T w) { return CUDALABS_OF(name){x, y, z, w}; }

// Two and four elements are aligned to their size, up to 16 bytes, so that one access moves them.
#define CUDALABS_VECTORS(prefix, T, pair, quad) \
  CUDALABS_VECTOR_1(prefix##1, T)               \
  CUDALABS_VECTOR_2(prefix##2, T, pair)         \
  CUDALABS_VECTOR_3(prefix##3, T)               \
  CUDALABS_VECTOR_4(prefix##4, T, quad)
// Vectors of four eight-byte elements also exist with both alignments.
#define CUDALABS_WIDE_VECTORS(prefix, T)  \
  CUDALABS_VECTORS(prefix, T, 16, 16)     \
  CUDALABS_VECTOR_4(prefix##4_16a, T, 16) \
  CUDALABS_VECTOR_4(prefix##4_32a, T, 32)

CUDALABS_VECTORS(char, signed char, 2, 4)
CUDALABS_VECTORS(uchar, unsigned char, 2, 4)
CUDALABS_VECTORS(short, short, 4, 8)
CUDALABS_VECTORS(ushort, unsigned short, 4, 8)
CUDALABS_VECTORS(int, int, 8, 16)
CUDALABS_VECTORS(uint, unsigned, 8, 16)
CUDALABS_VECTORS(float, float, 8, 16)
CUDALABS_WIDE_VECTORS(long, long)
CUDALABS_WIDE_VECTORS(ulong, unsigned long)
CUDALABS_WIDE_VECTORS(longlong, long long)
CUDALABS_WIDE_VECTORS(ulonglong, unsigned long long)
CUDALABS_WIDE_VECTORS(double, double)

#undef CUDALABS_ASSIGNMENT_2
#undef CUDALABS_ASSIGNMENT_4
#undef CUDALABS_ASSIGNMENT_8
#undef CUDALABS_ASSIGNMENT_16
#undef CUDALABS_ASSIGNMENT_32
#undef CUDALABS_OF
#undef CUDALABS_VECTOR_1
#undef CUDALABS_VECTOR_2
#undef CUDALABS_VECTOR_3
#undef CUDALABS_VECTOR_4
#undef CUDALABS_VECTORS
#undef CUDALABS_WIDE_VECTORS

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
  unsigned int x, y, z;
} dim3;
#endif
