// saxpy in_place. Read handout.md first.
//
// x and y have n elements each, in the GPU's global memory: only kernels (and cudaMemcpy) can read them. n may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. One thread an element.

// TODO: write a kernel in which each thread changes one element of y.
//   - Which element is this thread's? n is no multiple of anything: guard against elements past the end.

void saxpy_simple(int n, float alpha, const float* x, float* y) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)n, (void)alpha, (void)x, (void)y;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. A fixed number of threads.

// TODO: write a kernel whose threads step through the arrays.
//   - How far apart are the elements of one thread, so that neighbouring threads have neighbouring elements?

void saxpy_grid_stride(int n, float alpha, const float* x, float* y) {
  // TODO: launch a number of blocks that fills the card and does not depend on n.
  (void)n, (void)alpha, (void)x, (void)y;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Four elements a thread.

// TODO: write a kernel in which each thread loads and stores four neighbouring elements as one float4.
//   - What about the last elements, if four does not divide n?

void saxpy_vector(int n, float alpha, const float* x, float* y) {
  // TODO: launch your kernel.
  (void)n, (void)alpha, (void)x, (void)y;
}
