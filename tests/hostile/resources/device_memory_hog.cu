// Takes device memory until there is none, then works.
#include "good.cuh"

ENTRY(shared) {
  void* block = nullptr;
  for (int i = 0; i < 100000 && cudaMalloc(&block, 256 << 20) == cudaSuccess; ++i) {
  }
  cudaGetLastError();
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
