// image blur, the reference solution: the mean of the pixels around each pixel, twice.
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

constexpr int reach = 3;       // rows and columns of the square on each side
constexpr int tile_cols = 32;  // a warp has a row of the tile
constexpr int tile_rows = 8;

// The tiles are numbered along x, the only direction of a grid that may be longer than 65535.
static unsigned tiles_of(int rows, int cols) {
  return static_cast<unsigned>(((rows - 1) / tile_rows + 1) * ((cols - 1) / tile_cols + 1));
}

struct Place {
  int first_row, first_col;  // of the block's tile
  int row, col;              // of this thread's pixel
};

__device__ Place place_of(int cols) {
  const int across = (cols - 1) / tile_cols + 1, tile = static_cast<int>(blockIdx.x);
  const int first_row = tile / across * tile_rows, first_col = tile % across * tile_cols;
  return {first_row, first_col, first_row + static_cast<int>(threadIdx.y),
          first_col + static_cast<int>(threadIdx.x)};
}

// A sum of 49 bytes does not fit into a byte.
struct Sum {
  int x = 0, y = 0, z = 0, count = 0;

  __device__ void add(uchar4 p) {
    x += p.x;
    y += p.y;
    z += p.z;
    ++count;
  }
  __device__ uchar4 mean(unsigned char w) const {
    return make_uchar4(static_cast<unsigned char>(x / count), static_cast<unsigned char>(y / count),
                       static_cast<unsigned char>(z / count), w);
  }
};

// One thread a pixel. Each pixel is read by 49 threads, mostly from a cache.
__global__ void blur_global_kernel(const uchar4* image, uchar4* out, int rows, int cols) {
  const Place at = place_of(cols);
  if (at.row >= rows || at.col >= cols) return;
  Sum sum;
  for (int r = max(at.row - reach, 0); r <= min(at.row + reach, rows - 1); ++r) {
    const uchar4* line = image + static_cast<size_t>(r) * cols;
    for (int c = max(at.col - reach, 0); c <= min(at.col + reach, cols - 1); ++c) sum.add(line[c]);
  }
  const size_t own = static_cast<size_t>(at.row) * cols + at.col;
  out[own] = sum.mean(image[own].w);
}

void blur_global(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  blur_global_kernel<<<tiles_of(rows, cols), dim3(tile_cols, tile_rows)>>>(image, out, rows, cols);
  CHECK(cudaGetLastError());
}

// The block loads its tile and the pixels around it once. Those outside of the picture are neither loaded nor read.
__global__ void blur_tile_kernel(const uchar4* image, uchar4* out, int rows, int cols) {
  __shared__ uchar4 tile[tile_rows + 2 * reach][tile_cols + 2 * reach];
  const Place at = place_of(cols);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (int r = y; r < tile_rows + 2 * reach; r += tile_rows) {
    for (int c = x; c < tile_cols + 2 * reach; c += tile_cols) {
      const int row = at.first_row - reach + r, col = at.first_col - reach + c;
      if (row >= 0 && row < rows && col >= 0 && col < cols)
        tile[r][c] = image[static_cast<size_t>(row) * cols + col];
    }
  }
  __syncthreads();  // the tile is complete

  if (at.row >= rows || at.col >= cols) return;
  Sum sum;
  for (int r = -reach; r <= reach; ++r) {
    if (at.row + r < 0 || at.row + r >= rows) continue;
    for (int c = -reach; c <= reach; ++c) {
      if (at.col + c >= 0 && at.col + c < cols) sum.add(tile[y + reach + r][x + reach + c]);
    }
  }
  out[static_cast<size_t>(at.row) * cols + at.col] = sum.mean(tile[y + reach][x + reach].w);
}

void blur_tile(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  blur_tile_kernel<<<tiles_of(rows, cols), dim3(tile_cols, tile_rows)>>>(image, out, rows, cols);
  CHECK(cudaGetLastError());
}
