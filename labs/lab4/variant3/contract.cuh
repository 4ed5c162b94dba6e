#pragma once
// lab4 variant3, matrix product of doubles: the functions that matmul.cu must define. Do not change this
// file: the grader compiles your solution with its own copy.
//
// `a`, `b` and `c` are addresses in the GPU's global memory of matrices that lie row by row: a is m x k, b is
// k x n, c is m x n, and c[i][j] = a[i][0] * b[0][j] + ... + a[i][k - 1] * b[k - 1][j]. The element in row r
// and column q of b is b[r * n + q]. m >= 0, n >= 0, k >= 1.
// The products are added up in double, in any order: an answer is right if it is off by no more than the
// roundings of k multiplications and additions can add up to, gamma(k + 1) * (|a[i][0] b[0][j]| + ...),
// gamma(n) = n u / (1 - n u), u = 2^-53.
// Some inputs are multiples of one step, so small that no order rounds their sums: there
// the answer must be exact.
// Each function launches its kernels and returns; it need not wait for them. It must
// leave `a` and `b` unchanged.

/// Straight from global memory.
void matmul_global(const double* a, const double* b, double* c, int m, int n, int k);

/// Tiles of `a` and `b` in shared memory, without bank conflicts.
void matmul_shared(const double* a, const double* b, double* c, int m, int n, int k);

/// The same, with several elements of c in the registers of each thread (instruction-level parallelism).
void matmul_ilp(const double* a, const double* b, double* c, int m, int n, int k);
