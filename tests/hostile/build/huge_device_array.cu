// A device array of 16 GiB.
#include "good.cuh"

__device__ char huge[1ull << 34];
__global__ void kernel(float* out) { out[0] = huge[1ull << 33]; }
ENTRY(global) { kernel<<<1, 1>>>(out); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
