#pragma once
// lab6 variant1, sum of five neighbours: the functions that smooth.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory, with n elements each: y[i] is the sum of x[i - 2] ... x[i + 2], as
// far as these exist. n >= 0.
// What `y` holds before the call is not defined. Each function launches its kernels and returns; it need not wait for
// them. It must leave `x` unchanged.

/// Straight from global memory.
void smooth_global(const float* x, float* y, int n);

/// Through a tile in shared memory.
void smooth_shared(const float* x, float* y, int n);
