// Launches whose grid has two thousand million blocks.
#include "good.cuh"

__global__ void nothing() {}
ENTRY(shared) {
  nothing<<<2147483647, 32>>>();
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
