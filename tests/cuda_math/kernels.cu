// A kernel for each function of functions.def and each type, as a program would call it.

#include <__clang_cuda_builtin_vars.h>
#include <cudalabs/math.h>

#define KERNEL(name, type, call)                                                                       \
  extern "C"                                                                                           \
      __attribute__((global)) void name##_##type(type* out, const type* a, const type* b, int count) { \
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);                             \
    if (i < count) out[i] = call;                                                                      \
  }
#define ONE(name, of_float, of_double) KERNEL(name, float, name(a[i])) KERNEL(name, double, name(a[i]))
#define TWO(name, of_float, of_double) \
  KERNEL(name, float, name(a[i], b[i])) KERNEL(name, double, name(a[i], b[i]))
#include "functions.def"
