#pragma once
// lab2 variant2, transpose of a matrix: the functions that transpose.cu must define. Do not change this file:
// the grader compiles your solution with its own copy.
//
// `a` and `out` are addresses in the GPU's global memory of matrices that lie row by row. a is rows x cols:
// the element in row r and column c is a[r * cols + c]. It belongs into row c and column r of out, which is
// cols x rows: out[c * rows + r]. rows >= 0, cols >= 0.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory to global memory.
void transpose_global(const float* a, float* out, int rows, int cols);

/// Through a tile in shared memory, rows not padded: reads and writes are coalesced.
void transpose_shared(const float* a, float* out, int rows, int cols);

/// The same tile with padded rows: no bank conflicts.
void transpose_padded(const float* a, float* out, int rows, int cols);
