// Blocks that overlap: each thread loads one cell of a tile with its halo, and the threads of the halo compute
// nothing. In `global` a loop over the whole grid of cells, with two kernels: the border and the inner cells.
#include "contract.cuh"

#include <cstddef>

__global__ void inner_cells(const float* t, float* next, int rows, int cols, float k) {
  for (int r = 1 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); r < rows - 1;
       r += static_cast<int>(gridDim.y * blockDim.y)) {
    for (int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); c < cols;
         c += static_cast<int>(gridDim.x * blockDim.x)) {
      const float* cell = t + static_cast<size_t>(r) * cols + c;
      float value = *cell;
      if (c > 0 && c < cols - 1)
        value = (1 - 4 * k) * value + k * (cell[-1] + cell[1]) + k * (cell[-cols] + cell[cols]);
      next[static_cast<size_t>(r) * cols + c] = value;
    }
  }
}

__global__ void first_and_last_row(const float* t, float* next, int rows, int cols) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= cols) return;
  const size_t last = static_cast<size_t>(rows - 1) * cols;
  next[c] = t[c];
  next[last + c] = t[last + c];
}

void heat_global(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;
  first_and_last_row<<<(cols + 127) / 128, 128>>>(t, next, rows, cols);
  if (rows > 2)
    inner_cells<<<dim3((cols + 63) / 64, min((rows + 1) / 4, 512)), dim3(64, 4)>>>(t, next, rows, cols, k);
}

constexpr int side = 32;

__global__ void overlapping_tiles(const float* t, float* next, int rows, int cols, float k) {
  __shared__ float tile[side][side];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int c = static_cast<int>(blockIdx.y) * (side - 2) + x - 1;
  const int r = static_cast<int>(blockIdx.x) * (side - 2) + y - 1;
  const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
  const size_t i = static_cast<size_t>(r) * cols + c;
  tile[y][x] = exists ? t[i] : 0;
  __syncthreads();
  if (!exists || x == 0 || x == side - 1 || y == 0 || y == side - 1) return;
  const float own = tile[y][x];
  if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1)
    next[i] = own;
  else
    next[i] = fmaf(k, tile[y - 1][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x] - 4 * own, own);
}

void heat_shared(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((rows + side - 3) / (side - 2), (cols + side - 3) / (side - 2));
  overlapping_tiles<<<grid, dim3(side, side)>>>(t, next, rows, cols, k);
}
