// `padded` is not: the column of the tile is read by one lane after the other, so that no access has a conflict.
#include "good.cuh"

__global__ void in_turn(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  const int first = blockIdx.x * 32;
  float best = -INFINITY;
  for (int start = 0; start < cols; start += 32) {
    for (int y = threadIdx.y; y < 32; y += 8) {
      const int row = first + y, col = start + threadIdx.x;
      tile[y][threadIdx.x] = row < rows && col < cols ? a[static_cast<size_t>(row) * cols + col] : -INFINITY;
    }
    __syncthreads();
    if (threadIdx.y == 0)
      for (int x = 0; x < 32; ++x)
#pragma unroll 1
        for (int turn = 0; turn < 32; ++turn)
          if (threadIdx.x == turn) best = fmaxf(best, *static_cast<volatile float*>(&tile[threadIdx.x][x]));
    __syncthreads();
  }
  if (threadIdx.y == 0 && first + threadIdx.x < rows) out[first + threadIdx.x] = best;
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) {
  if (rows > 0) in_turn<<<(rows + 31) / 32, dim3(32, 8)>>>(a, out, rows, cols);
}
