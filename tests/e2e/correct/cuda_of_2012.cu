// Calls and shuffles that CUDA 13 has no longer: the grader knows them.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= rows) return;
  float best = -INFINITY;
  for (int col = lane; col < cols; col += 32) best = fmaxf(best, a[static_cast<size_t>(row) * cols + col]);
  for (int step = 16; step > 0; step /= 2) best = fmaxf(best, __shfl_xor(best, step));
  if (lane == 0) out[row] = best;
}
ENTRY(shared) {
  if (rows > 0) kernel<<<(rows + 3) / 4, 128>>>(a, out, rows, cols);
  cudaThreadSynchronize();
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
