// NaN compares false with everything, so a check written as "difference > tolerance" lets it pass.
#include "good.cuh"

__global__ void kernel(float* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] = NAN;
}
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(out, rows);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
