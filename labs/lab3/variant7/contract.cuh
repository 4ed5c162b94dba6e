#pragma once
// lab3 variant7, mean of each column: the functions that col_mean.cu must define. Do not change this file:
// the grader compiles your solution with its own copy.
//
// `a` and `out` are addresses in the GPU's global memory. `a` has rows x cols elements, row by row: the
// element in row r and column c is a[r * cols + c]. `out` has one element a column. rows >= 1, cols >= 0.
// The mean is the sum of the column divided by rows, added up in float, in any order: an answer is right if
// it is off by no more than the roundings of rows additions and the division can add up to,
// gamma(rows + 1) * (|a[0][c]| + |a[1][c]| + ...) / rows, gamma(n) = n u / (1 - n u), u = 2^-24.
// Some inputs are multiples of one step, so small that no order rounds their sums, and rows is a power of
// two: there the answer must be exact.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory.
void col_mean_global(const float* a, float* out, int rows, int cols);

/// 32 partial sums of each column in shared memory, rows not padded.
void col_mean_shared(const float* a, float* out, int rows, int cols);

/// The same with padded rows: no bank conflicts.
void col_mean_padded(const float* a, float* out, int rows, int cols);
