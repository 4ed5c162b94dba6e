// lab3 variant6: the minimum of each row of a matrix. Read handout.md first.
//
// a has rows x cols elements, row by row: the element in row r and column c is a[r * cols + c].
// out has one element a row. Both are in the GPU's global memory. rows may be 0; cols is at least 1.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread finds the minimum of one row.
//   - Which row is this thread's? Not every thread has one: guard against rows past the end.
//   - What does the running minimum start with? (A row may hold only positive numbers.)

void row_min_global(const float* a, float* out, int rows, int cols) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if rows is 0?
  (void)a, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block stages a 32 x 32 tile of `a` in shared memory and then takes the
// minimum of each of the tile's rows; the block walks along its 32 rows, tile by tile.
//   - Load so that neighbouring threads read neighbouring addresses (threadIdx.x along a row).
//   - What goes into the places of a tile that lie outside the matrix, so that they never win?
//   - Which two places need __syncthreads()? All threads of the block must reach them.

void row_min_shared(const float* a, float* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. The same with padded rows.

// TODO: what must the width of the tile be, so that the 32 elements of a tile's column lie in 32 different
// banks?

void row_min_padded(const float* a, float* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)rows, (void)cols;
}
