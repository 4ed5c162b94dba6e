#pragma once
// tensor_product wmma, a matrix product: the functions that product.cu must define. Do not change this file: the grader
// compiles your solution with its own copy.
//
// a has m x k, b has k x n and c has m x n elements, each row by row: c[i * n + j] is the sum of a[i * k + t] * b[t * n + j]
// over all t from 0 to k - 1. The factors are in half precision, the sums in float. All pointers are addresses in the
// GPU's global memory, aligned to 256 bytes at least. m, n and k may be 0; with k = 0 every sum is 0.
//
// Each function launches its kernels and returns; it need not wait for them. It must leave `a` and `b` unchanged.
#include <cuda_fp16.h>

/// A thread for each element of c, by ordinary multiplications and additions.
void product_naive(const half* a, const half* b, float* c, int m, int n, int k);

/// A warp for each tile of c, by nvcuda::wmma.
void product_wmma(const half* a, const half* b, float* c, int m, int n, int k);
