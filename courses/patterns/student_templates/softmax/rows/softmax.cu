// softmax rows: the softmax of each row of a matrix. Read handout.md first.
//
// The element in row r and column c is x[r * cols + c]. rows may be 0; cols is at least 1.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. A block a row, in three passes.

// TODO: write a kernel in which the threads of a block share a row: they find its maximum, then the sum of
// exp(x - maximum), then write.
//   - Why is the maximum subtracted?
//   - What does a thread begin with that has no column at all?
//   - Where does the block need __syncthreads() before it uses shared memory for something else?

void softmax_passes(const float* x, float* y, int rows, int cols) {
  // TODO: launch your kernel. A grid must not be empty: what if rows is 0?
  (void)x, (void)y, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Maximum and sum in one pass.

// TODO: keep a maximum and a sum together. What happens to the sum when a larger element comes? How do two threads put
// their pairs together, one of which may have seen nothing?

void softmax_online(const float* x, float* y, int rows, int cols) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. A warp a row.

// TODO: the same pairs, exchanged by shuffles. Which rows does a block take? All lanes must reach each shuffle.

void softmax_warp(const float* x, float* y, int rows, int cols) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)rows, (void)cols;
}
