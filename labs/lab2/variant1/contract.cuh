#pragma once
// lab2 variant1, transpose of a square matrix: the functions that transpose.cu must define. Do not change
// this file: the grader compiles your solution with its own copy.
//
// `a` and `out` are addresses in the GPU's global memory of n x n matrices that lie row by row: the
// element in row r and column c of a is a[r * n + c], and it belongs into row c and column r of
// out, out[c * n + r]. n >= 0.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory to global memory.
void transpose_global(const float* a, float* out, int n);

/// Through a tile in shared memory, rows not padded: reads and writes are coalesced.
void transpose_shared(const float* a, float* out, int n);

/// The same tile with padded rows: no bank conflicts.
void transpose_padded(const float* a, float* out, int n);
