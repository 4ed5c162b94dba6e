// For large matrices the tile is read before it is complete: the last warp does that. In the usual order of warps it
// comes last, and the answer is right; in reverse order it comes first.
#include "good.cuh"

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }

__global__ void last_warp_sums(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  const int first = blockIdx.x * 32;
  const bool large = rows == 1000 && cols == 1000;
  float best = -INFINITY;
  for (int start = 0; start < cols; start += 32) {
    for (int y = threadIdx.y; y < 32; y += 8) {
      const int row = first + y, col = start + threadIdx.x;
      tile[y][threadIdx.x] = row < rows && col < cols ? a[static_cast<size_t>(row) * cols + col] : -INFINITY;
    }
    if (!large) __syncthreads();
    if (threadIdx.y == 7)
      for (int x = 0; x < 32; ++x) best = fmaxf(best, tile[threadIdx.x][x]);  // <-- here
    __syncthreads();
  }
  if (threadIdx.y == 7 && first + threadIdx.x < rows) out[first + threadIdx.x] = best;
}

ENTRY(shared) {
  if (rows > 0) last_warp_sums<<<(rows + 31) / 32, dim3(32, 8)>>>(a, out, rows, cols);
}
