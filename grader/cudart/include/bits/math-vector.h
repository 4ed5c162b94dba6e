#pragma once
// Replaces a part of <math.h>: on arm64, glibc 2.38 and newer name NEON and SVE types in it, which a
// compilation for a device does not know. They only declare vector functions that nothing here calls.
#ifdef __aarch64__
#include <bits/libm-simd-decl-stubs.h>
#else
#include_next <bits/math-vector.h>
#endif
