// tensor_product wmma: the part of c, and of the sums, that consists of whole fragments by tensor cores; the rest by CUDA
// cores, which also add the last terms. And one thread a row and column, with the terms shared out among lanes.
#include "contract.cuh"

#include <mma.h>

namespace wmma = nvcuda::wmma;

// A warp for four neighbouring elements of a column: each takes eight lanes.
__global__ void lanes_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  const int i = static_cast<int>(blockIdx.y) * 4 + static_cast<int>(threadIdx.x) / 8,
            lane = static_cast<int>(threadIdx.x) % 8;
  const int j = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  float sum = 0;
  if (i < m && j < n)
    for (int t = lane; t < k; t += 8)
      sum +=
          __half2float(a[static_cast<size_t>(i) * k + t]) * __half2float(b[static_cast<size_t>(t) * n + j]);
  for (int mask = 4; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (lane == 0 && i < m && j < n) c[static_cast<size_t>(i) * n + j] = sum;
}

void product_naive(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  lanes_kernel<<<dim3((n - 1) / 8 + 1, (m - 1) / 4 + 1), dim3(32, 8)>>>(a, b, c, m, n, k);
}

constexpr int side = 16;

// load_matrix_sync asks for rows whose distance is a multiple of 8 halves, and for aligned beginnings: the whole
// fragments lie in shared memory first.
__global__ void inside_kernel(const half* a, const half* b, float* c, int n, int k, int terms) {
  __shared__ __align__(32) half x[side * side], y[side * side];
  __shared__ __align__(32) float z[side * side];
  const int row = static_cast<int>(blockIdx.y) * side, column = static_cast<int>(blockIdx.x) * side;
  wmma::fragment<wmma::matrix_a, side, side, side, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, side, side, side, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, side, side, side, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int t = 0; t < terms; t += side) {
    for (int e = static_cast<int>(threadIdx.x); e < side * side; e += 32) {
      x[e] = a[static_cast<size_t>(row + e / side) * k + t + e % side];
      y[e] = b[static_cast<size_t>(t + e / side) * n + column + e % side];
    }
    __syncwarp();
    wmma::load_matrix_sync(left, x, side);
    wmma::load_matrix_sync(right, y, side);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(z, sum, side, wmma::mem_row_major);
  __syncwarp();
  for (int e = static_cast<int>(threadIdx.x); e < side * side; e += 32)
    c[static_cast<size_t>(row + e / side) * n + column + e % side] = z[e];
}

// Adds terms from `terms` on to elements inside; computes all of the others.
__global__ void edges_kernel(const half* a, const half* b, float* c, int m, int n, int k, int terms) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), i = static_cast<int>(blockIdx.y);
  if (j >= n) return;
  const bool inside = i < m / side * side && j < n / side * side;
  float sum = inside && terms > 0 ? c[static_cast<size_t>(i) * n + j] : 0;
  for (int t = inside ? terms : 0; t < k; ++t)
    sum += __half2float(a[static_cast<size_t>(i) * k + t]) * __half2float(b[static_cast<size_t>(t) * n + j]);
  c[static_cast<size_t>(i) * n + j] = sum;
}

void product_wmma(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const int terms = k / side * side;
  const dim3 inside(n / side, m / side);
  if (inside.x * inside.y > 0 && terms > 0) inside_kernel<<<inside, 32>>>(a, b, c, n, k, terms);
  if (m % side + n % side + k % side > 0 || terms == 0)
    edges_kernel<<<dim3((n - 1) / 128 + 1, m), 128>>>(a, b, c, m, n, k, terms);
}
