// An off-by-one error in the bound of a loop.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = a[static_cast<size_t>(row) * cols];
  for (int col = 1; col < cols - 1; ++col) best = fmaxf(best, a[static_cast<size_t>(row) * cols + col]);
  out[row] = best;
}
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
