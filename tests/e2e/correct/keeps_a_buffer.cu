// A buffer that is kept from call to call, and grows with the input: no leak.
#include "good.cuh"

ENTRY(shared) {
  static float* kept = nullptr;
  static int room = 0;
  if (rows > room) {
    cudaFree(kept);
    cudaMalloc(&kept, sizeof(float) * rows);
    room = rows;
  }
  good::row_max_shared(a, kept, rows, cols);
  cudaMemcpy(out, kept, sizeof(float) * rows, cudaMemcpyDeviceToDevice);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
