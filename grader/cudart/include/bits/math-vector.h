#pragma once
// Part of the C library's <math.h>. On arm64 it names types of NEON and SVE since glibc 2.38, which a
// compilation for a device does not know: declarations of vector functions, that nothing here calls.
#ifdef __aarch64__
#include <bits/libm-simd-decl-stubs.h>
#else
#include_next <bits/math-vector.h>
#endif
