// lab6 variant1: the sum of five neighbours. Read handout.md first.
//
// y[i] is the sum of x[i - 2] ... x[i + 2], as far as these exist. Both arrays have n elements and are in the GPU's global
// memory: only kernels (and cudaMemcpy) can read them. n may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one element.
//   - Which element is this thread's? n is no multiple of anything: guard against elements past the end.

void smooth_global(const float* x, float* y, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)y, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block copies its part of x into shared memory and computes from there.
//   - The first and the last threads of a block need elements of the neighbouring blocks: how large is the tile?
//   - Which threads must wait for which? Where does __syncthreads() go?

void smooth_shared(const float* x, float* y, int n) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)n;
}
