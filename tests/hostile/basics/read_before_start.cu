// Reads in front of the input, where other data might lie.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows) {
  if (threadIdx.x < rows) out[threadIdx.x] = a[-1 - static_cast<int>(threadIdx.x)];  // <-- here
}
ENTRY(global) { kernel<<<1, 32>>>(a, out, rows); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
