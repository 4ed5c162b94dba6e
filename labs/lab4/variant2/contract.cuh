#pragma once
// lab4 variant2, product of a matrix with its transpose: the functions that aat.cu must define. Do not change
// this file: the grader compiles your solution with its own copy.
//
// `a` and `c` are addresses in the GPU's global memory of matrices that lie row by row: a is n x k, c
// is n x n, and c[i][j] = a[i][0] * a[j][0] + ... + a[i][k - 1] * a[j][k - 1]: the product of row i
// with row j. n >= 0, k >= 1.
// The products are added up in float, in any order: an answer is right if it is off by no more than the
// roundings of k multiplications and additions can add up to, gamma(k) * (|a[i][0] a[j][0]| + ...),
// gamma(n) = n u / (1 - n u), u = 2^-24.
// Some inputs are multiples of one step, so small that no order rounds their sums: there
// the answer must be exact.
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` unchanged.

/// Straight from global memory.
void aat_global(const float* a, float* c, int n, int k);

/// Tiles of `a` in shared memory, rows not padded.
void aat_shared(const float* a, float* c, int n, int k);

/// The same tiles with padded rows: no bank conflicts.
void aat_padded(const float* a, float* c, int n, int k);
