// @LAB@ @VARIANT@. Read handout.md first.
//
// x and y have n elements each. Both are in the GPU's global memory: only kernels (and cudaMemcpy) can read them. n may
// be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one element.
//   - Which element is this thread's? n is no multiple of anything: guard against elements past the end.

void @ENTRY@_global(const float* x, float* y, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)y, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block copies its part of x into shared memory and computes from there.
//   - Which threads must wait for which? Where does __syncthreads() go?

void @ENTRY@_shared(const float* x, float* y, int n) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)n;
}
