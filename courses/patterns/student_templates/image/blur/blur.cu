// image blur. Read handout.md first.
//
// image and out have rows x cols pixels, row by row, in the GPU's global memory: only kernels (and cudaMemcpy) can read
// them. rows and cols may be 0, or smaller than the square of 7 x 7.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread computes one pixel.
//   - Which pixels of the square exist? By which number is their sum divided?
//   - Which type holds the sum of 49 bytes?

void blur_global(const uchar4* image, uchar4* out, int rows, int cols) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty.
  (void)image, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Through a tile in shared memory.

// TODO: write a kernel in which a block copies its tile, and 3 pixels more on each side, into shared memory.
//   - How many pixels are these? Who loads those that are more than the block has threads?
//   - What about pixels outside of the picture? They must not count.
//   - Where must all threads wait for each other?

void blur_tile(const uchar4* image, uchar4* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)image, (void)out, (void)rows, (void)cols;
}
