#pragma once
// The vector types of CUDA, dim3, and what makes them. Alignments are those that a kernel of nvcc expects.

#include "host_defines.h"

#define CUDALABS_VECTOR_1(name, T, ...) \
  struct __VA_ARGS__ name {             \
    T x;                                \
  };                                    \
  CUDALABS_HOST_DEVICE name make_##name(T x) { return name{x}; }
#define CUDALABS_VECTOR_2(name, T, ...) \
  struct __VA_ARGS__ name {             \
    T x, y;                             \
  };                                    \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y) { return name{x, y}; }
#define CUDALABS_VECTOR_3(name, T, ...) \
  struct __VA_ARGS__ name {             \
    T x, y, z;                          \
  };                                    \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y, T z) { return name{x, y, z}; }
#define CUDALABS_VECTOR_4(name, T, ...) \
  struct __VA_ARGS__ name {             \
    T x, y, z, w;                       \
  };                                    \
  CUDALABS_HOST_DEVICE name make_##name(T x, T y, T z, T w) { return name{x, y, z, w}; }

// Two and four elements are as aligned as they are large, up to 16 bytes, so that one access moves them.
#define CUDALABS_VECTORS(prefix, T, pair, quad)    \
  CUDALABS_VECTOR_1(prefix##1, T)                  \
  CUDALABS_VECTOR_2(prefix##2, T, __align__(pair)) \
  CUDALABS_VECTOR_3(prefix##3, T)                  \
  CUDALABS_VECTOR_4(prefix##4, T, __align__(quad))
// Types of eight bytes have fours of either alignment besides.
#define CUDALABS_WIDE_VECTORS(prefix, T)             \
  CUDALABS_VECTORS(prefix, T, 16, 16)                \
  CUDALABS_VECTOR_4(prefix##4_16a, T, __align__(16)) \
  CUDALABS_VECTOR_4(prefix##4_32a, T, __align__(32))

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

#undef CUDALABS_VECTOR_1
#undef CUDALABS_VECTOR_2
#undef CUDALABS_VECTOR_3
#undef CUDALABS_VECTOR_4
#undef CUDALABS_VECTORS
#undef CUDALABS_WIDE_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
