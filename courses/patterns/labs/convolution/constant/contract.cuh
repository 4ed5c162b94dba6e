#pragma once
// convolution constant: the functions that convolution.cu must define. Do not change this file: the grader compiles
// your solution with its own copy.
//
// `x`, `mask` and `y` are addresses in the GPU's global memory: x and y have n elements, mask has `taps` weights.
// n >= 0, 1 <= taps <= 128; taps may be even. With middle = taps / 2 (rounded down), each y[i] becomes
//
//   mask[0] * x[i - middle] + mask[1] * x[i - middle + 1] + ... + mask[taps - 1] * x[i - middle + taps - 1]
//
// added up in any order. An x[j] with j < 0 or j >= n counts as 0.
// What `y` holds before the call is not defined. Each function launches its kernels and returns; it need not wait
// for them. It must leave `x` and `mask` unchanged. The mask may be another one in each call.

/// One thread an element; elements and weights come from global memory.
void convolution_global(const float* x, const float* mask, float* y, int n, int taps);

/// The weights come from constant memory.
void convolution_constant(const float* x, const float* mask, float* y, int n, int taps);

/// The weights come from constant memory and the elements from a tile in shared memory.
void convolution_shared(const float* x, const float* mask, float* y, int n, int taps);
