// convolution constant. Read handout.md first.
//
// x and y have n elements, mask has taps weights (1 to 128). All are in the GPU's global memory: only kernels (and
// cudaMemcpy) can read them. n may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. All from global memory.

// TODO: write a kernel in which each thread computes one element of y.
//   - Which element of x does mask[0] belong to?
//   - Which elements do not exist at both ends of x? They count as 0.

void convolution_global(const float* x, const float* mask, float* y, int n, int taps) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)mask, (void)y, (void)n, (void)taps;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. The mask in constant memory.

// TODO: declare an array in __constant__ memory, and write the kernel that reads the weights from there.
//   - How large must the array be? Its size cannot depend on taps.

void convolution_constant(const float* x, const float* mask, float* y, int n, int taps) {
  // TODO: copy the weights (cudaMemcpyToSymbol; which direction?) and launch your kernel.
  (void)x, (void)mask, (void)y, (void)n, (void)taps;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. A tile of x in shared memory.

// TODO: write a kernel in which a block copies the elements that it needs into shared memory.
//   - How many are these for a block of 256 threads? Who loads those that are more than 256?
//   - What stands in the places outside of x?
//   - Where does __syncthreads() go?

void convolution_shared(const float* x, const float* mask, float* y, int n, int taps) {
  // TODO: copy the weights and launch your kernel.
  (void)x, (void)mask, (void)y, (void)n, (void)taps;
}
