// lab4 variant2: the product of a matrix with its transpose. Read handout.md first.
//
// a is n x k, c is n x n, both row by row in the GPU's global memory. c[i][j] is the product of row i of a with row j of
// a: you need no transpose in memory. n may be 0; k is at least 1.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one element of c.
//   - n is no multiple of anything: guard against elements past the ends.

void aat_global(const float* a, float* c, int n, int k) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)a, (void)c, (void)n, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Tiles in shared memory.

// TODO: write a kernel in which a block computes a 32 x 32 tile of c. It needs 32 rows of a for the tile's rows and 32
// rows of a for its columns, and walks along both: at each step it loads a 32 x 32 tile of each into shared memory.
//   - Load both tiles so that neighbouring threads read neighbouring addresses (threadIdx.x along a row of a).
//   - What goes into the places of a tile that lie outside the matrix, so that they change nothing?
//   - Which two places need __syncthreads()? All threads of the block must reach them, also those without an element.

void aat_shared(const float* a, float* c, int n, int k) {
  // TODO: launch your kernel.
  (void)a, (void)c, (void)n, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. The same with padded rows.

// TODO: which of the two tiles is read down a column? What must its width be, so that the 32 elements of a column lie in
// 32 different banks?

void aat_padded(const float* a, float* c, int n, int k) {
  // TODO: launch your kernel.
  (void)a, (void)c, (void)n, (void)k;
}
