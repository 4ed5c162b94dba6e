// Every element goes to shared memory and comes back, but to the thread that stored it: it could have stayed in a register.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  __shared__ volatile float slots[256];
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float best = -INFINITY;
  for (int col = lane; col < cols; col += 32) {
    slots[threadIdx.x] = a[static_cast<size_t>(row) * cols + col];
    best = fmaxf(best, slots[threadIdx.x]);
  }
  for (int step = 16; step > 0; step /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
  if (lane == 0) out[row] = best;
}
ENTRY(shared) {
  if (rows > 0) kernel<<<(rows + 7) / 8, 256>>>(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
