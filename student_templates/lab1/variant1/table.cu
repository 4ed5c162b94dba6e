// lab1 variant1: a table of sin(sqrt(x)). Read handout.md first.
//
// grid[0] is the first x and grid[1] the step. y has n elements: y[i] = sin(sqrt(grid[0] + i * grid[1])). Both are in the
// GPU's global memory: only kernels (and cudaMemcpy) can read them. n may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Start and step from global memory.

// TODO: write a kernel in which each thread computes one element.
//   - Which element is this thread's? n is no multiple of anything: guard against elements past the end.
//   - Compute x from i in each thread. Why not add the step again and again?

void table_global(const float* grid, float* y, int n) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)grid, (void)y, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Start and step from constant memory.

// TODO: declare a __constant__ array, and write a kernel that reads start and step from it.
//   - cudaMemcpyToSymbol copies into it. grid is an address in the GPU's memory: which direction must you name?
//   - Every call brings another grid: copy each time.

void table_constant(const float* grid, float* y, int n) {
  // TODO: copy start and step, and launch your kernel.
  (void)grid, (void)y, (void)n;
}
