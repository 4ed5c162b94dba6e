// tensor_product wmma: a product of matrices in half precision. Read handout.md first.
//
// c[i * n + j] is the sum of a[i * k + t] * b[t * n + j], in float. m, n and k may be 0.
#include "contract.cuh"

#include <mma.h>

// ---------------------------------------------------------------------------------------------------------------
// 1. By CUDA cores.

// TODO: write a kernel in which each thread computes one element of c.
//   - Convert the factors to float before you multiply (__half2float).

void product_naive(const half* a, const half* b, float* c, int m, int n, int k) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty.
  (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. By tensor cores.

// TODO: write a kernel in which each warp computes 16 x 16 elements of c, or several such tiles, with
// nvcuda::wmma::fragment, fill_fragment, load_matrix_sync, mma_sync and store_matrix_sync.
//   - A fragment is loaded and stored as a whole. What if m, n or k is no multiple of 16?
//   - load_matrix_sync wants addresses that are multiples of 32 bytes, and rows whose distance is a multiple of 8 halves.
//   - All 32 lanes of the warp must reach each of these calls.

void product_wmma(const half* a, const half* b, float* c, int m, int n, int k) {
  // TODO: launch your kernel.
  (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
}
