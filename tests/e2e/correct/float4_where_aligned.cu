// Vector loads in rows that start at a multiple of 16 bytes, single ones elsewhere.
#include "good.cuh"

__global__ void kernel(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x;
  const float* start = a + static_cast<size_t>(row) * cols;
  float best = -INFINITY;
  int done = 0;
  if (reinterpret_cast<size_t>(start) % 16 == 0) {
    done = cols / 4 * 4;
    for (int i = threadIdx.x; i < cols / 4; i += 32) {
      const float4 four = reinterpret_cast<const float4*>(start)[i];
      best = fmaxf(best, fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)));
    }
  }
  for (int col = done + threadIdx.x; col < cols; col += 32) best = fmaxf(best, start[col]);
  for (int step = 16; step > 0; step /= 2) best = fmaxf(best, __shfl_down_sync(0xffffffffu, best, step));
  if (threadIdx.x == 0) out[row] = best;
}
ENTRY(global) {
  if (rows > 0) kernel<<<rows, 32>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
