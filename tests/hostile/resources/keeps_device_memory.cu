// Leaves no device memory for the next call.
#include "good.cuh"

ENTRY(shared) {
  good::row_max_shared(a, out, rows, cols);
  void* block = nullptr;
  for (size_t bytes = 256 << 20; bytes >= 256;)
    if (cudaMalloc(&block, bytes) != cudaSuccess) bytes /= 2;
  cudaGetLastError();
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
