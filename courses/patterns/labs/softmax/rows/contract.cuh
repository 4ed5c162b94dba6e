#pragma once
// softmax rows, the softmax of each row: the functions that softmax.cu must define. Do not change this file: the grader
// compiles your solution with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory. Both have rows x cols elements, row by row: the element in row r
// and column c is x[r * cols + c]. y[r * cols + c] is exp(x[r * cols + c]) divided by the sum of exp() over row r. The
// numbers may be so large or so small that exp() of them is infinite or 0 in float; those of one row differ by at most
// 80. rows >= 0, cols >= 1.
//
// Each function launches its kernels and returns; it need not wait for them. It must leave `x` unchanged.

/// A block a row: one pass finds the maximum, one the sum, one writes.
void softmax_passes(const float* x, float* y, int rows, int cols);

/// A block a row: one pass finds the maximum and the sum, one writes.
void softmax_online(const float* x, float* y, int rows, int cols);

/// The same with a warp a row, whose lanes exchange by shuffles.
void softmax_warp(const float* x, float* y, int rows, int cols);
