// lab4 variant1: the product of two matrices of floats. Read handout.md first.
//
// a is m x k, b is k x n, c is m x n, all row by row in the GPU's global memory: the element in row r and column q of b
// is b[r * n + q]. m and n may be 0; k is at least 1.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one element of c.
//   - Which element is this thread's, if neighbouring threads are to read and write neighbouring addresses?
//   - Neither m nor n is a multiple of anything: guard against elements past the ends.
//   - Only the x direction of a grid may have more than 65535 blocks. What if m is 100,000?

void matmul_global(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if m or n is 0?
  (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Tiles in shared memory.

// TODO: write a kernel in which a block computes a 32 x 32 tile of c. It walks along its rows of a and down its columns
// of b; at each step it loads a tile of each into shared memory, and every thread uses a row of one and a column of the
// other.
//   - Load both tiles so that neighbouring threads read neighbouring addresses.
//   - What goes into the places of a tile that lie outside the matrix, so that they change nothing?
//   - Which two places need __syncthreads()? All threads of the block must reach them, also those without an element.

void matmul_shared(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO: launch your kernel.
  (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Four elements a thread.

// TODO: let a block of 32 x 8 threads compute the same tile: each thread loads four elements of each tile and keeps four
// sums in registers.
//   - Which four elements, so that one of the two factors is read from shared memory once for all four?

void matmul_ilp(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO: launch your kernel.
  (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
}
