// Temporaries that nobody frees.
#include "good.cuh"

ENTRY(global) {
  float* best = nullptr;
  cudaMalloc(&best, sizeof(float) * (rows + 1));
  good::row_max_global(a, best, rows, cols);
  cudaMemcpy(out, best, sizeof(float) * rows, cudaMemcpyDeviceToDevice);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
