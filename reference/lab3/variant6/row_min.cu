// lab3 variant6, the reference solution: the minimum of each row of a matrix, three times.
#include "contract.cuh"

#include <cmath>
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

constexpr int tile_size = 32;  // rows and columns of a tile: a warp loads one row of it
constexpr int block_rows =
    8;  // rows of threads in a block: each thread loads tile_size / block_rows elements

static unsigned blocks_for(int count, int block) { return static_cast<unsigned>((count - 1) / block + 1); }

// One thread a row. Neighbouring threads read addresses that lie a whole row apart: 32 sectors for one warp.
__global__ void row_min_global_kernel(const float* a, float* out, int rows, int cols) {
  const size_t row = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= static_cast<size_t>(rows)) return;
  const float* begin = a + row * cols;
  float best = begin[0];
  for (int col = 1; col < cols; ++col) best = fminf(best, begin[col]);
  out[row] = best;
}

void row_min_global(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;  // a grid must not be empty
  constexpr int threads = 128;
  row_min_global_kernel<<<blocks_for(rows, threads), threads>>>(a, out, rows, cols);
  CHECK(cudaGetLastError());
}

// One block for 32 rows, tile by tile along them. A warp loads a row of the tile (neighbours in memory:
// coalesced) and then reads a column of it (one row for each lane). `pitch` is the distance between the
// tile's rows: at 32 all lanes of a column meet in one bank, at 33 each has its own.
template <int pitch>
__global__ void row_min_tile_kernel(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[tile_size][pitch];
  __shared__ float partial[block_rows][tile_size];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int first_row = static_cast<int>(blockIdx.x) * tile_size;
  const int rows_left = rows - first_row;

  // This thread's share of row first_row + x: four columns of every tile.
  constexpr int columns = tile_size / block_rows;
  float best = INFINITY;
  const float* corner = a + static_cast<size_t>(first_row) * cols;  // of the tile
  for (int cols_left = cols; cols_left > 0; cols_left -= tile_size, corner += tile_size) {
    for (int r = y; r < tile_size; r += block_rows) {
      const bool inside = r < rows_left && x < cols_left;
      tile[r][x] = inside ? corner[static_cast<size_t>(r) * cols + x] : INFINITY;  // which never wins
    }
    __syncthreads();  // the tile is complete
    for (int c = y * columns; c < (y + 1) * columns; ++c) best = fminf(best, tile[x][c]);
    __syncthreads();  // nobody reads it any more
  }

  // The eight threads that share a row put their minima together.
  partial[y][x] = best;
  __syncthreads();
  if (y == 0 && x < rows_left) {
    for (int k = 1; k < block_rows; ++k) best = fminf(best, partial[k][x]);
    out[first_row + x] = best;
  }
}

template <int pitch>
static void launch_tiles(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;
  // All blocks along x, the only direction of a grid that may be longer than 65535.
  row_min_tile_kernel<pitch>
      <<<blocks_for(rows, tile_size), dim3(tile_size, block_rows)>>>(a, out, rows, cols);
  CHECK(cudaGetLastError());
}

void row_min_shared(const float* a, float* out, int rows, int cols) {
  launch_tiles<tile_size>(a, out, rows, cols);
}

void row_min_padded(const float* a, float* out, int rows, int cols) {
  launch_tiles<tile_size + 1>(a, out, rows, cols);
}
