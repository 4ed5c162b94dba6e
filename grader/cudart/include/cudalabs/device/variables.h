#pragma once
// threadIdx, blockIdx, blockDim, gridDim and warpSize. As in clang's own header, reading a member reads a
// special register; unlike there, it leaves no line of a header in the debug information.

#include "cudalabs/vectors.h"

#define CUDALABS_REGISTER(member, reads)                                                          \
  __declspec(property(get = read_##member)) unsigned int member;                                  \
  __device__ static inline __attribute__((always_inline, nodebug)) unsigned int read_##member() { \
    return reads;                                                                                 \
  }
#define CUDALABS_VARIABLE(name, reg)                                                   \
  struct cudalabs_##name {                                                             \
    CUDALABS_REGISTER(x, __nvvm_read_ptx_sreg_##reg##_x())                             \
    CUDALABS_REGISTER(y, __nvvm_read_ptx_sreg_##reg##_y())                             \
    CUDALABS_REGISTER(z, __nvvm_read_ptx_sreg_##reg##_z())                             \
    __device__ inline __attribute__((always_inline, nodebug)) operator dim3() const {  \
      return dim3(x, y, z);                                                            \
    }                                                                                  \
    __device__ inline __attribute__((always_inline, nodebug)) operator uint3() const { \
      return uint3{x, y, z};                                                           \
    }                                                                                  \
    /* Nobody makes one, copies one, or asks where it lies. */                         \
    cudalabs_##name() = delete;                                                        \
    cudalabs_##name(const cudalabs_##name&) = delete;                                  \
    void operator=(const cudalabs_##name&) = delete;                                   \
    __device__ cudalabs_##name* operator&() const = delete;                            \
  };                                                                                   \
  extern const __device__ __attribute__((weak)) cudalabs_##name name;

CUDALABS_VARIABLE(threadIdx, tid)
CUDALABS_VARIABLE(blockIdx, ctaid)
CUDALABS_VARIABLE(blockDim, ntid)
CUDALABS_VARIABLE(gridDim, nctaid)
#undef CUDALABS_VARIABLE
#undef CUDALABS_REGISTER

__device__ const int warpSize = 32;
