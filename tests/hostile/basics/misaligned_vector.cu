// Reads four elements at once where the row does not start at a multiple of 16 bytes.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = -INFINITY;
  const float* start = a + static_cast<size_t>(row) * cols;
  for (int col = 0; col + 3 < cols; col += 4) {
    const float4 four = *reinterpret_cast<const float4*>(start + col);  // <-- here
    best = fmaxf(best, fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)));
  }
  for (int col = cols / 4 * 4; col < cols; ++col) best = fmaxf(best, start[col]);
  out[row] = best;
}
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
