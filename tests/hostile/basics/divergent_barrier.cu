// Half of a warp waits at a barrier that the other half never reaches.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  __shared__ float best[64];
  const int row = blockIdx.x;
  best[threadIdx.x] = -INFINITY;
  for (int col = threadIdx.x; col < cols; col += 64)
    best[threadIdx.x] = fmaxf(best[threadIdx.x], a[static_cast<size_t>(row) * cols + col]);
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + step]);
      __syncthreads();  // <-- here
    }
  }
  if (threadIdx.x == 0) out[row] = best[0];
}
ENTRY(shared) {
  if (rows > 0) kernel<<<rows, 64>>>(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
