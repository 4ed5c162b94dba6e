// A kernel that does nothing.
#include "good.cuh"

__global__ void kernel(const float*, float*, int, int) {}
ENTRY(global) { kernel<<<1, 32>>>(a, out, rows, cols); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
