// A write to an address that belongs to nobody.
#include "good.cuh"

__global__ void kernel(float* out) {
  out[(1ll << 36) + threadIdx.x] = 1;  // <-- here
}
ENTRY(global) {
  good::row_max_global(a, out, rows, cols);
  kernel<<<1, 32>>>(out);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
