#pragma once
// Complex numbers in C.

#include <cuda_runtime.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Parameters: suffix of the names, type, type of the parts, and make_float2 or make_double2. Quotients and
// absolute values are scaled, so that they overflow only if the result does.
#define CUDALABS_COMPLEX(f, Complex, Real, make, sqrt, fabs)                                          \
  CUDALABS_HOST_DEVICE Real cuCreal##f(Complex a) { return a.x; }                                     \
  CUDALABS_HOST_DEVICE Real cuCimag##f(Complex a) { return a.y; }                                     \
  CUDALABS_HOST_DEVICE Complex cuConj##f(Complex a) { return make(a.x, -a.y); }                       \
  CUDALABS_HOST_DEVICE Complex cuCadd##f(Complex a, Complex b) { return make(a.x + b.x, a.y + b.y); } \
  CUDALABS_HOST_DEVICE Complex cuCsub##f(Complex a, Complex b) { return make(a.x - b.x, a.y - b.y); } \
  CUDALABS_HOST_DEVICE Complex cuCmul##f(Complex a, Complex b) {                                      \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                        \
  }                                                                                                   \
  CUDALABS_HOST_DEVICE Complex cuCdiv##f(Complex a, Complex b) {                                      \
    const Real scale = Real(1) / (fabs(b.x) + fabs(b.y));                                             \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                \
    const Real size = Real(1) / (bx * bx + by * by);                                                  \
    return make((ax * bx + ay * by) * size, (ay * bx - ax * by) * size);                              \
  }                                                                                                   \
  CUDALABS_HOST_DEVICE Real cuCabs##f(Complex a) {                                                    \
    const Real x = fabs(a.x), y = fabs(a.y), larger = x > y ? x : y, smaller = x > y ? y : x;         \
    if (larger == 0 || larger - larger != 0 || smaller != smaller) return x + y;                      \
    const Real ratio = smaller / larger;                                                              \
    return larger * sqrt(Real(1) + ratio * ratio);                                                    \
  }                                                                                                   \
  CUDALABS_HOST_DEVICE Complex cuCfma##f(Complex a, Complex b, Complex c) {                           \
    const Real x = a.x * b.x + c.x, y = a.y * b.x + c.y;                                              \
    return make(-(a.y * b.y) + x, a.x * b.y + y);                                                     \
  }
CUDALABS_COMPLEX(f, cuFloatComplex, float, make_float2, __builtin_sqrtf, __builtin_fabsf)
CUDALABS_COMPLEX(, cuDoubleComplex, double, make_double2, __builtin_sqrt, __builtin_fabs)
#undef CUDALABS_COMPLEX

CUDALABS_HOST_DEVICE cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
CUDALABS_HOST_DEVICE cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
CUDALABS_HOST_DEVICE cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
CUDALABS_HOST_DEVICE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}
CUDALABS_HOST_DEVICE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}
