// lab3 variant7, the reference solution: the mean of each column of a matrix, three times.
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

constexpr int tile_size = 32;  // columns of a block, and partial sums of each of them

static unsigned blocks_for(int count, int block) { return static_cast<unsigned>((count - 1) / block + 1); }

// One thread a column. Neighbouring threads read neighbouring elements of a row: coalesced. But a matrix of
// 1000 columns keeps only 1000 threads busy.
__global__ void col_mean_global_kernel(const float* a, float* out, int rows, int cols) {
  const size_t col = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (col >= static_cast<size_t>(cols)) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += a[static_cast<size_t>(row) * cols + col];
  out[col] = sum / static_cast<float>(rows);
}

void col_mean_global(const float* a, float* out, int rows, int cols) {
  if (cols == 0) return;  // a grid must not be empty
  constexpr int threads = 128;
  col_mean_global_kernel<<<blocks_for(cols, threads), threads>>>(a, out, rows, cols);
  CHECK(cudaGetLastError());
}

// One block for 32 columns, 32 threads for each of them: thread (x, y) adds up rows y, y + 32, y + 64 ... of
// column x. A warp still reads along a row. The 32 x 32 partial sums change hands through shared memory: stored
// by rows, one a row of threads, they are read by columns, so that a warp holds all 32 of one column. `pitch` is
// the distance between the tile's rows: at 32 all lanes of that read meet in one bank, at 33 each has its own.
template <int pitch>
__global__ void col_mean_tile_kernel(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[tile_size][pitch];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int first_col = static_cast<int>(blockIdx.x) * tile_size;
  const int cols_left = cols - first_col;

  float sum = 0;
  if (x < cols_left) {
    for (int row = y; row < rows; row += tile_size) sum += a[static_cast<size_t>(row) * cols + first_col + x];
  }
  tile[y][x] = sum;
  __syncthreads();
  sum = tile[x][y];  // partial sum x of column first_col + y

  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (x == 0 && y < cols_left) out[first_col + y] = sum / static_cast<float>(rows);
}

template <int pitch>
static void launch_tiles(const float* a, float* out, int rows, int cols) {
  if (cols == 0) return;
  col_mean_tile_kernel<pitch><<<blocks_for(cols, tile_size), dim3(tile_size, tile_size)>>>(a, out, rows, cols);
  CHECK(cudaGetLastError());
}

void col_mean_shared(const float* a, float* out, int rows, int cols) {
  launch_tiles<tile_size>(a, out, rows, cols);
}

void col_mean_padded(const float* a, float* out, int rows, int cols) {
  launch_tiles<tile_size + 1>(a, out, rows, cols);
}
