// lab5 variant2: the sum of n floats. Read handout.md first.
//
// x has n elements, out has one: x[0] + ... + x[n - 1]. Both are in the GPU's global memory. n may be 0: then the sum is
// 0. Nobody has set out to 0 for you.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. A tree of neighbours.

// TODO: write a kernel in which each thread loads one element into shared memory, and the block then adds them up:
// with step = 1, 2, 4 ..., thread t adds the element step places to its right if t is a multiple of 2 * step.
//   - What does a thread without an element put into shared memory?
//   - Where is __syncthreads() needed? All threads of the block must reach it, also those without work.
//   - Only one thread of a block then has the block's sum. How do the blocks' sums come together in out?

void sum_interleaved(const float* x, float* out, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Sequential addressing.

// TODO: the same tree the other way round: step goes from half the block down to 1, and the first step threads work.
//   - Which elements meet in a round? Which warps have nothing to do any more?

void sum_sequential(const float* x, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Two elements while loading, the last warp by itself.

// TODO: let each thread add two elements when it loads them (half as many blocks), and leave the loop when one warp is
// left.
//   - What guard does the second element need?
//   - A warp needs no __syncthreads(). What does it need between writing an element and reading a neighbour's?

void sum_unrolled(const float* x, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 4. A grid-stride loop.

// TODO: launch a fixed number of blocks, and let each thread add up many elements in a register before the tree.
//   - How far apart are a thread's elements, so that neighbouring threads always read neighbouring ones?

void sum_grid_stride(const float* x, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 5. Shuffles.

// TODO: let the lanes of a warp exchange registers with __shfl_down_sync instead of going through shared memory.
//   - Which lane has the warp's sum? How do the sums of the block's warps come together?

void sum_shuffle(const float* x, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)out, (void)n;
}
