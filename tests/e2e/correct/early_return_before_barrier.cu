// Whole warps and single threads beyond the last row leave before the barrier: legal on every GPU since Volta.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  __shared__ float best[128];
  const int row = blockIdx.x * 128 + threadIdx.x;
  if (row >= rows) return;
  best[threadIdx.x] = -INFINITY;
  for (int col = 0; col < cols; ++col) best[threadIdx.x] = fmaxf(best[threadIdx.x], a[static_cast<size_t>(row) * cols + col]);
  __syncthreads();
  out[row] = best[threadIdx.x];
}
ENTRY(shared) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
