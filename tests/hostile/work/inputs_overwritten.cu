// Makes the input fit a wrong answer.
#include "good.cuh"

__global__ void kernel(float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x;
  for (int col = threadIdx.x; col < cols; col += 32) a[static_cast<size_t>(row) * cols + col] = 1;
  if (threadIdx.x == 0) out[row] = 1;
}
ENTRY(global) {
  if (rows > 0) kernel<<<rows, 32>>>(const_cast<float*>(a), out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
