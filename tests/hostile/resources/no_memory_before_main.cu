// Takes all device memory before any entry is called.
#include "good.cuh"

struct Hog {
  Hog() {
    void* block = nullptr;
    for (size_t bytes = 256 << 20; bytes >= 256;)
      if (cudaMalloc(&block, bytes) != cudaSuccess) bytes /= 2;
  }
} hog;

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
