// lab3 variant7: the mean of each column of a matrix. Read handout.md first.
//
// a has rows x cols elements, row by row: the element in row r and column c is a[r * cols + c].
// out has one element a column. Both are in the GPU's global memory. cols may be 0; rows is at least 1.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread finds the mean of one column.
//   - Which column is this thread's? Not every thread has one: guard against columns past the end.
//   - What is the mean of rows numbers? When do you divide: once a column, or once an element?

void col_mean_global(const float* a, float* out, int rows, int cols) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if cols is 0?
  (void)a, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Partial sums in shared memory.

// TODO: write a kernel in which 32 threads share each column, so that more threads are busy: a block of 32 x 32
// threads takes 32 columns, and its thread (x, y) adds up every 32nd row of column x, beginning with row y.
//   - Store the 32 x 32 partial sums in shared memory, a row of threads in each row of the tile.
//   - Then let each warp take one column of the tile: thread (x, y) reads the place of thread (y, x).
//   - What must come between storing and reading? All threads of the block must reach it.
//   - How do 32 lanes add up 32 numbers? (Look up __shfl_down_sync.) Which lane has the result?
//   - What does a thread without a column or a row contribute?

void col_mean_shared(const float* a, float* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. The same with padded rows.

// TODO: what must the width of the tile be, so that the 32 elements of a tile's column lie in 32 different
// banks?

void col_mean_padded(const float* a, float* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)a, (void)out, (void)rows, (void)cols;
}
