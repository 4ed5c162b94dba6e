// lab4 variant2, the reference solution: the product of a matrix with its transpose, three times.
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

constexpr int tile_size = 32;  // rows and columns of a tile: a warp loads one row of it

static dim3 tiles_of(int n) {
  const auto tiles = static_cast<unsigned>((n - 1) / tile_size + 1);
  return dim3(tiles, tiles);
}

// One thread an element: row i of a times row j. The lanes of a warp have 32 neighbouring j, whose rows lie k elements
// apart: 32 sectors for one load.
__global__ void aat_global_kernel(const float* a, float* c, int n, int k) {
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || j >= n) return;
  const float *left = a + static_cast<size_t>(i) * k, *right = a + static_cast<size_t>(j) * k;
  float sum = 0;
  for (int q = 0; q < k; ++q) sum += left[q] * right[q];
  c[static_cast<size_t>(i) * n + j] = sum;
}

void aat_global(const float* a, float* c, int n, int k) {
  if (n == 0) return;  // a grid must not be empty
  aat_global_kernel<<<tiles_of(n), dim3(tile_size, tile_size)>>>(a, c, n, k);
  CHECK(cudaGetLastError());
}

// A block for each tile of c. It walks along its 32 rows of a and along the 32 rows that c's columns stand for; both
// tiles are loaded by rows (coalesced). Then all lanes of a warp read one element of the first, and a column of the
// second. `pitch` is the distance between a tile's rows: at 32 all lanes of that column meet in one bank, at 33 each has
// its own.
template <int pitch>
__global__ void aat_tile_kernel(const float* a, float* c, int n, int k) {
  __shared__ float left[tile_size][tile_size], right[tile_size][pitch];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int left_row = static_cast<int>(blockIdx.y) * tile_size + y;
  const int right_row = static_cast<int>(blockIdx.x) * tile_size + y;

  float sum = 0;
  for (int first = 0; first < k; first += tile_size) {
    // What lies outside is 0 and adds nothing.
    const bool inside = first + x < k;
    left[y][x] = inside && left_row < n ? a[static_cast<size_t>(left_row) * k + first + x] : 0;
    right[y][x] = inside && right_row < n ? a[static_cast<size_t>(right_row) * k + first + x] : 0;
    __syncthreads();  // the tiles are complete
    for (int q = 0; q < tile_size; ++q) sum += left[y][q] * right[x][q];
    __syncthreads();  // nobody reads them any more
  }
  const int col = static_cast<int>(blockIdx.x) * tile_size + x;
  if (left_row < n && col < n) c[static_cast<size_t>(left_row) * n + col] = sum;
}

template <int pitch>
static void launch_tiles(const float* a, float* c, int n, int k) {
  if (n == 0) return;
  aat_tile_kernel<pitch><<<tiles_of(n), dim3(tile_size, tile_size)>>>(a, c, n, k);
  CHECK(cudaGetLastError());
}

void aat_shared(const float* a, float* c, int n, int k) { launch_tiles<tile_size>(a, c, n, k); }

void aat_padded(const float* a, float* c, int n, int k) { launch_tiles<tile_size + 1>(a, c, n, k); }
