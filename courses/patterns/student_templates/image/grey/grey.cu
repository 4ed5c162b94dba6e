// image grey. Read handout.md first.
//
// image and out have rows x cols pixels, row by row, in the GPU's global memory: only kernels (and cudaMemcpy) can read
// them. rows and cols may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. One thread a pixel.

// TODO: write a kernel in which each thread computes one pixel.
//   - Which pixel is this thread's? Must a thread know its row and its column?
//   - How do x, y and z of a pixel come with one load?

void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty.
  (void)image, (void)out, (void)rows, (void)cols;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Four pixels a thread.

// TODO: write a kernel in which each thread computes four neighbouring pixels.
//   - Which type has 16 bytes, and loads with one instruction? Which one stores four pixels of `out`?
//   - What about the last pixels, if four does not divide their number?

void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols) {
  // TODO: launch your kernel.
  (void)image, (void)out, (void)rows, (void)cols;
}
