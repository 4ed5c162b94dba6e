// A copy that fails where the variable is too small for it; its error is ignored, and the kernel reads behind its end.
#include "good.cuh"

__device__ float room[1024];
__global__ void kernel(float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = -INFINITY;
  for (int col = 0; col < cols; ++col) best = fmaxf(best, room[row * cols + col]);  // <-- here
  out[row] = best;
}
ENTRY(shared) {
  if (rows == 0) return;
  cudaMemcpyToSymbol(room, a, sizeof(float) * rows * cols, 0, cudaMemcpyDeviceToDevice);
  kernel<<<(rows + 127) / 128, 128>>>(out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
