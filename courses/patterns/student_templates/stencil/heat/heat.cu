// stencil heat. Read handout.md first.
//
// t and next are grids of rows x cols cells in the GPU's global memory: only kernels (and cudaMemcpy) can read
// them. rows and cols may be 0, 1 or 2; then there is no inner cell.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one cell.
//   - Which cell is this thread's? Neighbouring threads should have neighbouring cells of a row.
//   - Which cells have four neighbours? What becomes of the others?

void heat_global(const float* t, float* next, int rows, int cols, float k) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty.
  (void)t, (void)next, (void)rows, (void)cols, (void)k;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block copies a tile of t and the cells around it (the halo) into shared memory,
// and computes the tile from there.
//   - The tile with its halo has more cells than the block has threads: who loads the rest?
//   - Which cells of the halo do not exist?
//   - Where must all threads wait for each other?

void heat_shared(const float* t, float* next, int rows, int cols, float k) {
  // TODO: launch your kernel.
  (void)t, (void)next, (void)rows, (void)cols, (void)k;
}
