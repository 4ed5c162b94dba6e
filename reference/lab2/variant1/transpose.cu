// lab2 variant1, the reference solution: the transpose of a square matrix, three times.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int tile_size = 32;  // rows and columns of a tile: a warp moves one row of it
constexpr int block_rows = 8;  // rows of threads in a block: each thread moves tile_size / block_rows elements

static unsigned tiles_for(int count) { return static_cast<unsigned>((count - 1) / tile_size + 1); }

// A block for each tile of a. Tiles are numbered along x alone, the only direction of a grid that may be longer than
// 65535; a kernel finds its tile's row and column from the number.
struct Tile {
  int row, col;  // of its first element in a
};

__device__ Tile tile_of_block(int cols) {
  const int across = (cols - 1) / tile_size + 1;
  const int number = static_cast<int>(blockIdx.x);
  return {number / across * tile_size, number % across * tile_size};
}

// A warp reads 32 neighbours of a row of a, coalesced, and writes them down a column of out: one sector for each lane.
__global__ void transpose_global_kernel(const float* a, float* out, int n) {
  const Tile tile = tile_of_block(n);
  const int col = tile.col + static_cast<int>(threadIdx.x);
  if (col >= n) return;
  for (int r = static_cast<int>(threadIdx.y); r < tile_size && tile.row + r < n; r += block_rows) {
    const int row = tile.row + r;
    out[static_cast<size_t>(col) * n + row] = a[static_cast<size_t>(row) * n + col];
  }
}

void transpose_global(const float* a, float* out, int n) {
  if (n == 0) return;  // a grid must not be empty
  transpose_global_kernel<<<tiles_for(n) * tiles_for(n), dim3(tile_size, block_rows)>>>(a, out, n);
  CHECK(cudaGetLastError());
}

// A warp reads 32 neighbours of a row of a into a row of the tile. Then it takes a column of the tile, which is a row of
// out: written coalesced, too. `pitch` is the distance between the tile's rows: at 32 all lanes of a column meet in one
// bank, at 33 each has its own.
template <int pitch>
__global__ void transpose_tile_kernel(const float* a, float* out, int n) {
  __shared__ float tile[tile_size][pitch];
  const Tile corner = tile_of_block(n);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int rows_left = n - corner.row, cols_left = n - corner.col;

  for (int r = y; r < tile_size && r < rows_left; r += block_rows) {
    if (x < cols_left) tile[r][x] = a[static_cast<size_t>(corner.row + r) * n + corner.col + x];
  }
  __syncthreads();  // the tile is complete
  // In out the tile's corner has row and column swapped, and so have its sides.
  for (int c = y; c < tile_size && c < cols_left; c += block_rows) {
    if (x < rows_left) out[static_cast<size_t>(corner.col + c) * n + corner.row + x] = tile[x][c];
  }
}

template <int pitch>
static void launch_tiles(const float* a, float* out, int n) {
  if (n == 0) return;
  transpose_tile_kernel<pitch>
      <<<tiles_for(n) * tiles_for(n), dim3(tile_size, block_rows)>>>(a, out, n);
  CHECK(cudaGetLastError());
}

void transpose_shared(const float* a, float* out, int n) {
  launch_tiles<tile_size>(a, out, n);
}

void transpose_padded(const float* a, float* out, int n) {
  launch_tiles<tile_size + 1>(a, out, n);
}
