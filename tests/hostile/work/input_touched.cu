// The answer is right, but the input is not what it was.
#include "good.cuh"

__global__ void kernel(float* a) { a[0] = -a[0] - 1; }
ENTRY(global) {
  good::row_max_global(a, out, rows, cols);
  if (rows > 0) kernel<<<1, 1>>>(const_cast<float*>(a));
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
