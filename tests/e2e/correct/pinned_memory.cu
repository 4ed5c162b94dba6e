// Copies through page-locked memory, and a grid of two dimensions.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.y * gridDim.x + blockIdx.x;
  if (row >= rows || threadIdx.x != 0) return;
  float best = -INFINITY;
  for (int col = 0; col < cols; ++col) best = fmaxf(best, a[static_cast<size_t>(row) * cols + col]);
  out[row] = best;
}
ENTRY(global) {
  if (rows == 0) return;
  float *host = nullptr, *found = nullptr;
  cudaMallocHost(&host, sizeof(float) * rows);
  cudaMalloc(&found, sizeof(float) * rows);
  kernel<<<dim3(16, (rows + 15) / 16), 32>>>(a, found, rows, cols);
  cudaMemcpyAsync(host, found, sizeof(float) * rows, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaMemcpy(out, host, sizeof(float) * rows, cudaMemcpyHostToDevice);
  cudaFree(found);
  cudaFreeHost(host);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
