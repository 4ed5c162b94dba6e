// tensor_product wmma, the reference solution: a product of matrices in half precision, by CUDA cores and by tensor
// cores.
#include "contract.cuh"

#include <mma.h>

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

static unsigned blocks_for(int count, int block) { return static_cast<unsigned>((count - 1) / block + 1); }

// A thread an element. The factors become floats before they are multiplied, and the sum is a float.
__global__ void product_naive_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int t = 0; t < k; ++t)
    sum += __half2float(a[static_cast<size_t>(i) * k + t]) * __half2float(b[static_cast<size_t>(t) * n + j]);
  c[static_cast<size_t>(i) * n + j] = sum;
}

void product_naive(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 block(32, 8);
  product_naive_kernel<<<dim3(blocks_for(n, 32), blocks_for(m, 8)), block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}

namespace wmma = nvcuda::wmma;

constexpr int side = 16;         // of a fragment
constexpr int tile = 64;         // rows and columns of c that a block computes
constexpr int depth = 32;        // terms that lie in shared memory at a time
constexpr int of_warp = 2;       // fragments along each side of a warp's part
constexpr int block_size = 128;  // four warps, two by two
constexpr int padding =
    8;  // halves or floats: rows begin in different banks, and stay aligned for load_matrix_sync

using FactorA = wmma::fragment<wmma::matrix_a, side, side, side, half, wmma::row_major>;
using FactorB = wmma::fragment<wmma::matrix_b, side, side, side, half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, side, side, side, float>;

// Copies a part of a matrix, from (row, column) on, and zeros where it has no elements: they add nothing. A thread loads
// an element of the matrix in any case, so that no load waits for a branch and all are under way together.
template <int rows, int cols>
__device__ void stage(half (*part)[cols + padding], const half* matrix, int row, int column, int all_rows,
                      int all_cols) {
  constexpr int of_thread = rows * cols / block_size;
  half held[of_thread];
  for (int i = 0; i < of_thread; ++i) {
    const int e = i * block_size + static_cast<int>(threadIdx.x), r = row + e / cols, s = column + e % cols;
    const half value = matrix[static_cast<size_t>(min(r, all_rows - 1)) * all_cols + min(s, all_cols - 1)];
    held[i] = r < all_rows && s < all_cols ? value : __float2half(0);
  }
  for (int i = 0; i < of_thread; ++i) {
    const int e = i * block_size + static_cast<int>(threadIdx.x);
    part[e / cols][e % cols] = held[i];
  }
}

__global__ void product_wmma_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  __shared__ __align__(32) half part_a[tile][depth + padding], part_b[depth][tile + padding];
  __shared__ __align__(32) float sums[tile][tile + padding];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row = static_cast<int>(blockIdx.y) * tile, column = static_cast<int>(blockIdx.x) * tile;
  const int warp_row = warp / 2 * of_warp * side, warp_column = warp % 2 * of_warp * side;  // in the tile

  Sum sum[of_warp][of_warp];
  for (auto& line : sum)
    for (auto& one : line) wmma::fill_fragment(one, 0.0f);

  for (int begin = 0; begin < k; begin += depth) {
    stage<tile, depth>(part_a, a, row, begin, m, k);
    stage<depth, tile>(part_b, b, begin, column, k, n);
    __syncthreads();  // both parts are complete
    for (int t = 0; t < depth; t += side) {
      FactorA x[of_warp];
      FactorB y[of_warp];
      for (int i = 0; i < of_warp; ++i) {
        wmma::load_matrix_sync(x[i], &part_a[warp_row + i * side][t], depth + padding);
        wmma::load_matrix_sync(y[i], &part_b[t][warp_column + i * side], tile + padding);
      }
      for (int i = 0; i < of_warp; ++i)
        for (int j = 0; j < of_warp; ++j) wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
    }
    __syncthreads();  // nobody reads them any more
  }

  // Through shared memory, since a fragment is stored as a whole and c may end within it.
  for (int i = 0; i < of_warp; ++i)
    for (int j = 0; j < of_warp; ++j)
      wmma::store_matrix_sync(&sums[warp_row + i * side][warp_column + j * side], sum[i][j], tile + padding,
                              wmma::mem_row_major);
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < tile * tile; e += block_size) {
    const int r = e / tile, s = e % tile;
    if (row + r < m && column + s < n) c[static_cast<size_t>(row + r) * n + column + s] = sums[r][s];
  }
}

void product_wmma(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  product_wmma_kernel<<<dim3(blocks_for(n, tile), blocks_for(m, tile)), block_size>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
