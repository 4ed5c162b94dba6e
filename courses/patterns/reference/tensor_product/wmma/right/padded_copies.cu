// tensor_product wmma: copies of the factors whose sizes are multiples of 16, so that a warp loads its fragments straight
// from global memory; and tiles in shared memory for the CUDA cores.
#include "contract.cuh"

#include <mma.h>

namespace wmma = nvcuda::wmma;

constexpr int side = 16;

static int padded(int size) { return (size + side - 1) / side * side; }

__global__ void tiles_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  __shared__ float x[side][side], y[side][side + 1];
  const int s = static_cast<int>(threadIdx.x), r = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * side + r, column = static_cast<int>(blockIdx.x) * side + s;
  float sum = 0;
  for (int begin = 0; begin < k; begin += side) {
    x[r][s] = row < m && begin + s < k ? __half2float(a[static_cast<size_t>(row) * k + begin + s]) : 0;
    y[r][s] = column < n && begin + r < k ? __half2float(b[static_cast<size_t>(begin + r) * n + column]) : 0;
    __syncthreads();
    for (int t = 0; t < side; ++t) sum = fmaf(x[r][t], y[t][s], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
}

void product_naive(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  tiles_kernel<<<dim3(padded(n) / side, padded(m) / side), dim3(side, side)>>>(a, b, c, m, n, k);
}

// Elements of a matrix with `cols` columns into one with `wide` columns; the others are 0.
__global__ void pad_kernel(const half* from, half* to, int rows, int cols, int wide) {
  const int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), r = static_cast<int>(blockIdx.y);
  if (s >= wide) return;
  const bool inside = r < rows && s < cols;
  to[static_cast<size_t>(r) * wide + s] = inside ? from[static_cast<size_t>(r) * cols + s] : half(0);
}

__global__ void warps_kernel(const half* a, const half* b, float* c, int n, int k) {
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * side;
  const int column = static_cast<int>(blockIdx.x) * side;
  wmma::fragment<wmma::matrix_a, side, side, side, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, side, side, side, half, wmma::row_major> y;
  wmma::fragment<wmma::accumulator, side, side, side, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int t = 0; t < k; t += side) {
    wmma::load_matrix_sync(x, a + static_cast<size_t>(row) * k + t, k);
    wmma::load_matrix_sync(y, b + static_cast<size_t>(t) * n + column, n);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(c + static_cast<size_t>(row) * n + column, sum, n, wmma::mem_row_major);
}

__global__ void cut_kernel(const float* from, float* to, int cols, int wide) {
  const int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), r = static_cast<int>(blockIdx.y);
  if (s < cols) to[static_cast<size_t>(r) * cols + s] = from[static_cast<size_t>(r) * wide + s];
}

void product_wmma(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const int rows = padded(m), cols = padded(n), terms = padded(k > 0 ? k : 1);
  half *x = nullptr, *y = nullptr;
  float* z = nullptr;
  cudaMalloc(&x, static_cast<size_t>(rows) * terms * sizeof *x);
  cudaMalloc(&y, static_cast<size_t>(terms) * cols * sizeof *y);
  cudaMalloc(&z, static_cast<size_t>(rows) * cols * sizeof *z);
  pad_kernel<<<dim3((terms - 1) / 128 + 1, rows), 128>>>(a, x, m, k, terms);
  pad_kernel<<<dim3((cols - 1) / 128 + 1, terms), 128>>>(b, y, k, n, cols);
  warps_kernel<<<dim3(cols / side, rows / side), dim3(32, 1)>>>(x, y, z, cols, terms);
  cut_kernel<<<dim3((n - 1) / 128 + 1, m), 128>>>(z, c, n, cols);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
