#pragma once
// min and max for all number types, for host code too. If the types differ, the result has the type of C's
// usual conversions.

#include "host_defines.h"

#define CUDALABS_SMALLER(R, A, B)                                            \
  CUDALABS_HOST_DEVICE R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  CUDALABS_HOST_DEVICE R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define CUDALABS_SMALLER_INTEGER(S, U) \
  CUDALABS_SMALLER(S, S, S)            \
  CUDALABS_SMALLER(U, U, U)            \
  CUDALABS_SMALLER(U, S, U)            \
  CUDALABS_SMALLER(U, U, S)
CUDALABS_SMALLER_INTEGER(int, unsigned int)
CUDALABS_SMALLER_INTEGER(long, unsigned long)
CUDALABS_SMALLER_INTEGER(long long, unsigned long long)
#undef CUDALABS_SMALLER_INTEGER
#undef CUDALABS_SMALLER

// For a number and a NaN these return the number.
CUDALABS_HOST_DEVICE float min(float a, float b) { return __builtin_fminf(a, b); }
CUDALABS_HOST_DEVICE float max(float a, float b) { return __builtin_fmaxf(a, b); }
#define CUDALABS_SMALLER_DOUBLE(A, B)                                        \
  CUDALABS_HOST_DEVICE double min(A a, B b) { return __builtin_fmin(a, b); } \
  CUDALABS_HOST_DEVICE double max(A a, B b) { return __builtin_fmax(a, b); }
CUDALABS_SMALLER_DOUBLE(double, double)
CUDALABS_SMALLER_DOUBLE(float, double)
CUDALABS_SMALLER_DOUBLE(double, float)
#undef CUDALABS_SMALLER_DOUBLE

CUDALABS_HOST_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
CUDALABS_HOST_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
CUDALABS_HOST_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
CUDALABS_HOST_DEVICE long long llmax(long long a, long long b) { return max(a, b); }
CUDALABS_HOST_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
CUDALABS_HOST_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}
