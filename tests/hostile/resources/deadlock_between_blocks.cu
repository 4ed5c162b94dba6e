// A block waits for another one that waits for it.
#include "good.cuh"

__device__ volatile int turn;
__global__ void kernel(float* out) {
  while (turn != static_cast<int>(blockIdx.x) + 1) {  // <-- here
  }
  turn = -1;
  out[0] = 1;
}
ENTRY(shared) { kernel<<<2, 32>>>(out); }

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
