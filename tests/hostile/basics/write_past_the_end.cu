// The guard is forgotten: threads beyond the last row write past the end of the output.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -INFINITY;
  for (int col = 0; col < cols && row < rows; ++col) best = fmaxf(best, a[static_cast<size_t>(row) * cols + col]);
  out[row] = best;  // <-- here
}
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
