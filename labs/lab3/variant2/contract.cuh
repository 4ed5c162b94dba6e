#pragma once
// lab3 variant2, sum of each row: the functions that row_sum.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// `a` and `out` are addresses in the GPU's global memory. `a` has rows x cols elements, row by row: the
// element in row r and column c is a[r * cols + c]. `out` has one element a row. rows >= 0, cols >= 1.
// The sums are added up in float, in any order: an answer is right if it is off by no more than the
// roundings of cols additions can add up to, gamma(cols) * (|a[r][0]| + |a[r][1]| + ...),
// gamma(n) = n u / (1 - n u), u = 2^-24.
// Some inputs are multiples of one step, so small that no order rounds their sums: there
// the answer must be exact.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory.
void row_sum_global(const float* a, float* out, int rows, int cols);

/// A tile of `a` staged in shared memory, rows not padded.
void row_sum_shared(const float* a, float* out, int rows, int cols);

/// The same tile with padded rows: no bank conflicts.
void row_sum_padded(const float* a, float* out, int rows, int cols);
