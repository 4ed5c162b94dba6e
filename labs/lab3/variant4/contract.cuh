#pragma once
// lab3 variant4, maximum of each row: the functions that row_max.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// `a` and `out` are addresses in the GPU's global memory. `a` has rows x cols elements, row by row: the
// element in row r and column c is a[r * cols + c]. `out` has one element a row. rows >= 0, cols >= 1.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory.
void row_max_global(const float* a, float* out, int rows, int cols);

/// A tile of `a` staged in shared memory, rows not padded.
void row_max_shared(const float* a, float* out, int rows, int cols);

/// The same tile with padded rows: no bank conflicts.
void row_max_padded(const float* a, float* out, int rows, int cols);
