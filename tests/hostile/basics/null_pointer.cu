// A pointer that was never set.
#include "good.cuh"

__global__ void kernel(const float* a, const int* lengths, float* out, int rows) {
  if (threadIdx.x < rows) out[threadIdx.x] = a[lengths[threadIdx.x]];  // <-- here
}
ENTRY(global) { kernel<<<1, 32>>>(a, nullptr, out, rows); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
