// Frees buffers that belong to the grader.
#include "good.cuh"

ENTRY(global) {
  good::row_max_global(a, out, rows, cols);
  cudaFree(out);
  cudaFree(const_cast<float*>(a));
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
