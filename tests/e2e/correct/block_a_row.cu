// A block a row, reduced in dynamic shared memory.
#include "good.cuh"

extern __shared__ float partial[];
__global__ void kernel(const float* a, float* out, int cols) {
  const float* row = a + static_cast<size_t>(blockIdx.x) * cols;
  float best = -INFINITY;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) best = fmaxf(best, row[col]);
  partial[threadIdx.x] = best;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + step]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
ENTRY(shared) {
  if (rows > 0) kernel<<<rows, 128, 128 * sizeof(float)>>>(a, out, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
