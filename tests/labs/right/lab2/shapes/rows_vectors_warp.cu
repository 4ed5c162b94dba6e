// A thread a row; float4 loads into the tile where rows allow it; a padded tile a warp, kept together by __syncwarp() alone.
#include <cstddef>

__global__ void thread_a_row(const float* a, float* out, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  for (int c = 0; c < cols; ++c) out[static_cast<size_t>(c) * rows + row] = a[static_cast<size_t>(row) * cols + c];
}

TRANSPOSE(global) { thread_a_row<<<(rows - 1) / 32 + 1, 32>>>(a, out, rows, cols); }

__global__ void vectors(const float* a, float* out, int rows, int cols) {
  __shared__ alignas(16) float tile[32][32];
  const int t = static_cast<int>(threadIdx.x), across = (cols - 1) / 32 + 1;
  const int row = static_cast<int>(blockIdx.x) / across * 32, col = static_cast<int>(blockIdx.x) % across * 32;
  const int y = t / 8, x = t % 8 * 4;
  const float* from = a + static_cast<size_t>(row + y) * cols + col + x;
  if (row + y < rows) {
    if (cols % 4 == 0 && col + x + 4 <= cols) {
      *reinterpret_cast<float4*>(&tile[y][x]) = *reinterpret_cast<const float4*>(from);
    } else {
      for (int e = 0; e < 4 && col + x + e < cols; ++e) tile[y][x + e] = from[e];
    }
  }
  __syncthreads();
  for (int e = t; e < 32 * 32; e += 256) {
    const int r = e % 32, c = e / 32;
    if (row + r < rows && col + c < cols) out[static_cast<size_t>(col + c) * rows + row + r] = tile[r][c];
  }
}

TRANSPOSE(shared) { vectors<<<((rows - 1) / 32 + 1) * ((cols - 1) / 32 + 1), 256>>>(a, out, rows, cols); }

__global__ void tile_a_warp(const float* a, float* out, int rows, int cols) {
  __shared__ float tiles[4][32][33];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int across = (cols - 1) / 32 + 1, down = (rows - 1) / 32 + 1;
  const int number = static_cast<int>(blockIdx.x) * 4 + warp;
  if (number >= across * down) return;  // the whole warp
  float(*tile)[33] = tiles[warp];
  const int row = number / across * 32, col = number % across * 32;
  for (int r = 0; r < 32; ++r)
    if (row + r < rows && col + lane < cols) tile[r][lane] = a[static_cast<size_t>(row + r) * cols + col + lane];
  __syncwarp();
  for (int c = 0; c < 32; ++c)
    if (col + c < cols && row + lane < rows) out[static_cast<size_t>(col + c) * rows + row + lane] = tile[lane][c];
}

TRANSPOSE(padded) {
  const int tiles = ((rows - 1) / 32 + 1) * ((cols - 1) / 32 + 1);
  tile_a_warp<<<(tiles - 1) / 4 + 1, 128>>>(a, out, rows, cols);
}
