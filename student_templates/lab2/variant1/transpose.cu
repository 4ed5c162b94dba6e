// lab2 variant1: the transpose of a square matrix. Read handout.md first.
//
// a and out are n x n, row by row in the GPU's global memory: a[r * n + c] belongs into out[c * n + r]. n may be 0.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory to global memory.

// TODO: write a kernel in which each thread moves one element (or a few).
//   - Which of the two matrices do neighbouring threads access at neighbouring addresses, the one that is read or the one
//     that is written? Try both.
//   - n is no multiple of anything: guard against elements past the ends.
//   - Only the x direction of a grid may have more than 65535 blocks.

void transpose_global(const float* a, float* out, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)a, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block loads a 32 x 32 tile of a into shared memory along a's rows, and then writes it
// along out's rows. A block of 32 x 8 threads is enough: each thread moves four elements.
//   - Where in out does the tile's corner lie? Which of the tile's elements does thread (x, y) write there?
//   - At the edges the tile is not full. Which sides of it are cut, when it is read and when it is written?
//   - Where is __syncthreads() needed? All threads of the block must reach it.

void transpose_shared(const float* a, float* out, int n) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. The same with padded rows.

// TODO: what must the width of the tile be, so that the 32 elements of a tile's column lie in 32 different
// banks?

void transpose_padded(const float* a, float* out, int n) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)n;
}
