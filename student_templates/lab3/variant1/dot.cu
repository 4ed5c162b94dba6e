// lab3 variant1: the dot product of two vectors. Read handout.md first.
//
// x and y have n elements each, out has one: x[0] * y[0] + ... + x[n - 1] * y[n - 1]. All are in the GPU's global
// memory. n may be 0: then the result is 0. Nobody has set out to 0 for you.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory, without shared memory.

// TODO: write a kernel in which each thread adds up its share of the products in a register.
//   - Which elements are this thread's? Let neighbouring threads read neighbouring elements.
//   - n is rarely a multiple of the number of threads: guard against elements past the end.
//   - How do the threads' shares come together in out? (Several threads that write to one address need care.)

void dot_global(const float* x, const float* y, float* out, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)y, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. A block's partial sums in shared memory.

// TODO: write a kernel in which each thread stores its share in a __shared__ array, and the block then adds the
// array up in a tree: pairs of neighbours first, then every second element, every fourth ...
//   - In a round with distance step, let thread t work on elements 2 * step * t and 2 * step * t + step. Which
//     threads have work in a round?
//   - Where is __syncthreads() needed? All threads of the block must reach it, also those without work.
//   - Only one thread of a block then has the block's sum. How do the blocks' sums come together?

void dot_shared(const float* x, const float* y, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)out, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. The same with padded places.

// TODO: where must element i of the array lie, so that elements 2, 4, 8 ... apart lie in different banks? How long
// must the array be then?

void dot_padded(const float* x, const float* y, float* out, int n) {
  // TODO: launch your kernel.
  (void)x, (void)y, (void)out, (void)n;
}
