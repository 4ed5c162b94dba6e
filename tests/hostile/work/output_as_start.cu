// The maximum begins with what lies in the output. A NaN there is lost in fmaxf, so this looks right where outputs hold NaNs.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int col = 0; col < cols; ++col) {
    out[row] = fmaxf(out[row], a[static_cast<size_t>(row) * cols + col]);  // <-- here
  }
}
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
