// The functions stand in another order, and so do statements that do not depend on one another.
#include "contract.cuh"

#include <cstdlib>
#include <cstdio>
#include <cstddef>
#include <cmath>

constexpr int block_rows = 8;
constexpr int tile_size = 32;

template <int pitch>
__global__ void row_max_tile_kernel(const float* a, float* out, int rows, int cols) {
  constexpr int columns = tile_size / block_rows;
  __shared__ float partial[block_rows][tile_size];
  __shared__ float tile[tile_size][pitch];
  float best = -INFINITY;
  const int first_row = tile_size * static_cast<int>(blockIdx.x);
  const float* corner = static_cast<size_t>(first_row) * cols + a;
  const int y = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(threadIdx.x);
  const int rows_left = rows - first_row;

  for (int cols_left = cols; cols_left > 0; corner += tile_size, cols_left -= tile_size) {
    for (int r = y; r < tile_size; r += block_rows) {
      const bool inside = x < cols_left && r < rows_left;
      tile[r][x] = !inside ? -INFINITY : corner[x + static_cast<size_t>(r) * cols];
    }
    __syncthreads();
    for (int c = columns * y; c < columns * (1 + y); ++c) best = fmaxf(tile[x][c], best);
    __syncthreads();
  }
  partial[y][x] = best;
  __syncthreads();
  if (x < rows_left && y == 0) {
    for (int k = 1; k < block_rows; ++k) best = fmaxf(partial[k][x], best);
    out[x + first_row] = best;
  }
}

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

static unsigned blocks_for(int count, int block) { return static_cast<unsigned>(1 + (count - 1) / block); }

template <int pitch>
static void launch_tiles(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;
  row_max_tile_kernel<pitch>
      <<<blocks_for(rows, tile_size), dim3(tile_size, block_rows)>>>(a, out, rows, cols);
  CHECK(cudaGetLastError());
}

void row_max_padded(const float* a, float* out, int rows, int cols) { launch_tiles<tile_size + 1>(a, out, rows, cols); }
void row_max_shared(const float* a, float* out, int rows, int cols) { launch_tiles<tile_size>(a, out, rows, cols); }

__global__ void row_max_global_kernel(float* out, const float* a, int cols, int rows) {
  const size_t row = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (static_cast<size_t>(rows) <= row) return;
  const float* begin = row * cols + a;
  float best = begin[0];
  for (int col = 1; col < cols; ++col) best = fmaxf(begin[col], best);
  out[row] = best;
}

void row_max_global(const float* a, float* out, int rows, int cols) {
  constexpr int threads = 128;
  if (rows == 0) return;
  row_max_global_kernel<<<blocks_for(rows, threads), threads>>>(out, a, cols, rows);
  CHECK(cudaGetLastError());
}
