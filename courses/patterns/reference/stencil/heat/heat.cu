// stencil heat, the reference solution: one step of heat conduction, twice.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int tile_cols = 32;  // a warp has a row of the tile
constexpr int tile_rows = 32;
constexpr int block_rows = 8;  // rows of threads: each thread computes tile_rows / block_rows cells of a tile

static int tiles_for(int count, int tile) { return (count - 1) / tile + 1; }

__device__ bool is_inner(int r, int c, int rows, int cols) {
  return r > 0 && r < rows - 1 && c > 0 && c < cols - 1;
}

__device__ float step(float own, float up, float down, float left, float right, float k) {
  return own + k * (up + down + left + right - 4 * own);
}

// One thread a cell. Each cell of `t` is read five times; the caches serve four of the reads.
__global__ void heat_global_kernel(const float* t, float* next, int rows, int cols, float k) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<size_t>(rows) * cols) return;
  const int r = static_cast<int>(i / cols), c = static_cast<int>(i % cols);
  const float own = t[i];
  next[i] = is_inner(r, c, rows, cols) ? step(own, t[i - cols], t[i + cols], t[i - 1], t[i + 1], k) : own;
}

void heat_global(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  constexpr size_t threads = 256;
  const size_t cells = static_cast<size_t>(rows) * cols;
  heat_global_kernel<<<static_cast<unsigned>((cells - 1) / threads + 1), threads>>>(t, next, rows, cols, k);
  CHECK(cudaGetLastError());
}

// A block loads a tile and the cells around it, its halo, and computes the tile from shared memory. The tiles are
// numbered along x, the only direction of a grid that may be longer than 65535.
__global__ void heat_shared_kernel(const float* t, float* next, int rows, int cols, float k) {
  __shared__ float tile[tile_rows + 2][tile_cols + 2];
  const int tiles_across = (cols - 1) / tile_cols + 1;
  const int first_row = static_cast<int>(blockIdx.x) / tiles_across * tile_rows;
  const int first_col = static_cast<int>(blockIdx.x) % tiles_across * tile_cols;
  const int x = static_cast<int>(threadIdx.x);

  // tile[y][x] holds row first_row + y - 1, column first_col + x - 1. Two lanes of a warp load the ends of its row.
  for (int y = static_cast<int>(threadIdx.y); y < tile_rows + 2; y += block_rows) {
    const int r = first_row + y - 1;
    if (r < 0 || r >= rows) continue;
    const float* row = t + static_cast<size_t>(r) * cols;
    if (first_col + x < cols) tile[y][x + 1] = row[first_col + x];
    if (x == 0 && first_col > 0) tile[y][0] = row[first_col - 1];
    if (x == 1 && first_col + tile_cols < cols) tile[y][tile_cols + 1] = row[first_col + tile_cols];
  }
  __syncthreads();  // the tile is complete

  const int c = first_col + x;
  for (int y = static_cast<int>(threadIdx.y); y < tile_rows; y += block_rows) {
    const int r = first_row + y;
    if (r >= rows || c >= cols) continue;
    const float own = tile[y + 1][x + 1];
    next[static_cast<size_t>(r) * cols + c] =
        is_inner(r, c, rows, cols)
            ? step(own, tile[y][x + 1], tile[y + 2][x + 1], tile[y + 1][x], tile[y + 1][x + 2], k)
            : own;
  }
}

void heat_shared(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;
  const int tiles = tiles_for(rows, tile_rows) * tiles_for(cols, tile_cols);
  heat_shared_kernel<<<static_cast<unsigned>(tiles), dim3(tile_cols, block_rows)>>>(t, next, rows, cols, k);
  CHECK(cudaGetLastError());
}
