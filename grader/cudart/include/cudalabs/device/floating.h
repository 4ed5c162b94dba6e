#pragma once
// Floating-point operations with explicit rounding, conversions, and the bits of a number. An operation with
// explicit rounding is never contracted into a fused multiply-add.

#include "host_defines.h"

// rounding of CUDA, rounding of PTX
#define CUDALABS_ROUNDED(cuda, ptx)                                                                        \
  CUDALABS_DEVICE float __fadd_##cuda(float x, float y) { return __nvvm_add_##ptx##_f(x, y); }             \
  CUDALABS_DEVICE float __fsub_##cuda(float x, float y) { return __nvvm_add_##ptx##_f(x, -y); }            \
  CUDALABS_DEVICE float __fmul_##cuda(float x, float y) { return __nvvm_mul_##ptx##_f(x, y); }             \
  CUDALABS_DEVICE float __fmaf_##cuda(float x, float y, float z) { return __nvvm_fma_##ptx##_f(x, y, z); } \
  CUDALABS_DEVICE float __fdiv_##cuda(float x, float y) { return __nvvm_div_##ptx##_f(x, y); }             \
  CUDALABS_DEVICE float __frcp_##cuda(float x) { return __nvvm_rcp_##ptx##_f(x); }                         \
  CUDALABS_DEVICE float __fsqrt_##cuda(float x) { return __nvvm_sqrt_##ptx##_f(x); }                       \
  CUDALABS_DEVICE float __fmaf_ieee_##cuda(float x, float y, float z) {                                    \
    return __nvvm_fma_##ptx##_f(x, y, z);                                                                  \
  }                                                                                                        \
  CUDALABS_DEVICE double __dadd_##cuda(double x, double y) { return __nvvm_add_##ptx##_d(x, y); }          \
  CUDALABS_DEVICE double __dsub_##cuda(double x, double y) { return __nvvm_add_##ptx##_d(x, -y); }         \
  CUDALABS_DEVICE double __dmul_##cuda(double x, double y) { return __nvvm_mul_##ptx##_d(x, y); }          \
  CUDALABS_DEVICE double __fma_##cuda(double x, double y, double z) {                                      \
    return __nvvm_fma_##ptx##_d(x, y, z);                                                                  \
  }                                                                                                        \
  CUDALABS_DEVICE double __ddiv_##cuda(double x, double y) { return __nvvm_div_##ptx##_d(x, y); }          \
  CUDALABS_DEVICE double __drcp_##cuda(double x) { return __nvvm_rcp_##ptx##_d(x); }                       \
  CUDALABS_DEVICE double __dsqrt_##cuda(double x) { return __nvvm_sqrt_##ptx##_d(x); }                     \
  /* conversions */                                                                                        \
  CUDALABS_DEVICE float __double2float_##cuda(double x) { return __nvvm_d2f_##ptx(x); }                    \
  CUDALABS_DEVICE int __float2int_##cuda(float x) { return __nvvm_f2i_##ptx(x); }                          \
  CUDALABS_DEVICE unsigned __float2uint_##cuda(float x) { return __nvvm_f2ui_##ptx(x); }                   \
  CUDALABS_DEVICE long long __float2ll_##cuda(float x) { return __nvvm_f2ll_##ptx(x); }                    \
  CUDALABS_DEVICE unsigned long long __float2ull_##cuda(float x) { return __nvvm_f2ull_##ptx(x); }         \
  CUDALABS_DEVICE int __double2int_##cuda(double x) { return __nvvm_d2i_##ptx(x); }                        \
  CUDALABS_DEVICE unsigned __double2uint_##cuda(double x) { return __nvvm_d2ui_##ptx(x); }                 \
  CUDALABS_DEVICE long long __double2ll_##cuda(double x) { return __nvvm_d2ll_##ptx(x); }                  \
  CUDALABS_DEVICE unsigned long long __double2ull_##cuda(double x) { return __nvvm_d2ull_##ptx(x); }       \
  CUDALABS_ROUNDED_FROM(int2float_##cuda, float, int, "cvt." #ptx ".f32.s32", "f", "r")                    \
  CUDALABS_ROUNDED_FROM(uint2float_##cuda, float, unsigned, "cvt." #ptx ".f32.u32", "f", "r")              \
  CUDALABS_ROUNDED_FROM(ll2float_##cuda, float, long long, "cvt." #ptx ".f32.s64", "f", "l")               \
  CUDALABS_ROUNDED_FROM(ull2float_##cuda, float, unsigned long long, "cvt." #ptx ".f32.u64", "f", "l")     \
  CUDALABS_ROUNDED_FROM(ll2double_##cuda, double, long long, "cvt." #ptx ".f64.s64", "d", "l")             \
  CUDALABS_ROUNDED_FROM(ull2double_##cuda, double, unsigned long long, "cvt." #ptx ".f64.u64", "d", "l")
// Not clang's builtins: clang 14 treats __nvvm_i2f_rz as a cast, which rounds to nearest.
#define CUDALABS_ROUNDED_FROM(name, R, T, instruction, out, in) \
  CUDALABS_DEVICE R __##name(T x) {                             \
    R result;                                                   \
    asm(instruction " %0, %1;" : "=" out(result) : in(x));      \
    return result;                                              \
  }
CUDALABS_ROUNDED(rn, rn)
CUDALABS_ROUNDED(rz, rz)
CUDALABS_ROUNDED(ru, rp)
CUDALABS_ROUNDED(rd, rm)
#undef CUDALABS_ROUNDED
#undef CUDALABS_ROUNDED_FROM

CUDALABS_DEVICE double __int2double_rn(int x) { return x; }
CUDALABS_DEVICE double __uint2double_rn(unsigned x) { return x; }
// Computed in double precision, whose result has more than twice a float's digits, so that the second
// rounding changes nothing.
CUDALABS_DEVICE float __frsqrt_rn(float x) { return float(__nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(double(x)))); }

CUDALABS_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CUDALABS_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
CUDALABS_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
CUDALABS_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
CUDALABS_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
CUDALABS_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
CUDALABS_DEVICE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
CUDALABS_DEVICE int __double2loint(double x) { return int(__double_as_longlong(x)); }
CUDALABS_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)unsigned(high) << 32 | unsigned(low)));
}
