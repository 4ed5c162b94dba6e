#pragma once
// lab3 variant1, dot product of two vectors: the functions that dot.cu must define. Do not change this file:
// the grader compiles your solution with its own copy.
//
// `x`, `y` and `out` are addresses in the GPU's global memory. `x` and `y` have n elements each, `out` has
// one: x[0] * y[0] + ... + x[n - 1] * y[n - 1]. n >= 0; the dot product of nothing is 0.
// The products are added up in float, in any order: the answer is right if it is off by no more than the
// roundings of n multiplications and additions can add up to, gamma(n) * (|x[0] y[0]| + ... +
// |x[n - 1] y[n - 1]|), gamma(n) = n u / (1 - n u), u = 2^-24.
// Some inputs are multiples of one step, so small that no order rounds their sums: there
// the answer must be exact.
// What `out` holds before the call is not defined. Each function launches its kernels and returns; it need
// not wait for them. It must leave `x` and `y` unchanged.

/// Straight from global memory: partial sums in registers, no shared memory.
void dot_global(const float* x, const float* y, float* out, int n);

/// Each block adds its threads' partial sums up in shared memory, not padded.
void dot_shared(const float* x, const float* y, float* out, int n);

/// The same with padded places: no bank conflicts.
void dot_padded(const float* x, const float* y, float* out, int n);
