// tensor_product wmma: fragments of 32 x 8, with b turned round in shared memory, and a warp for each of them; CUDA cores
// that take two columns of b by one load where they can.
#include "contract.cuh"

#include <mma.h>

namespace wmma = nvcuda::wmma;

__global__ void pairs_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  const int pairs = (n + 1) / 2, count = m * pairs;
  for (int e = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); e < count;
       e += static_cast<int>(gridDim.x * blockDim.x)) {
    const int i = e / pairs, j = e % pairs * 2;
    float2 sum = make_float2(0, 0);
    for (int t = 0; t < k; ++t) {
      const float factor = __half2float(a[static_cast<size_t>(i) * k + t]);
      const half* row = b + static_cast<size_t>(t) * n + j;
      const float2 two = n % 2 == 0 ? __half22float2(*reinterpret_cast<const half2*>(row))
                                    : make_float2(__half2float(row[0]), j + 1 < n ? __half2float(row[1]) : 0);
      sum.x += factor * two.x;
      sum.y += factor * two.y;
    }
    c[static_cast<size_t>(i) * n + j] = sum.x;
    if (j + 1 < n) c[static_cast<size_t>(i) * n + j + 1] = sum.y;
  }
}

void product_naive(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  pairs_kernel<<<1024, 128>>>(a, b, c, m, n, k);
}

constexpr int high = 32, wide = 8, deep = 16;  // a fragment
constexpr int warps = 4;                       // of a block: neighbours along a row
constexpr int pitch = 24;

__global__ void warps_kernel(const half* a, const half* b, float* c, int m, int n, int k) {
  __shared__ __align__(32) half x[high][pitch], y[warps * wide][pitch];  // y: a column of b in each row
  __shared__ __align__(32) float z[warps][high][wide];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  const int row = static_cast<int>(blockIdx.y) * high, column = static_cast<int>(blockIdx.x) * warps * wide;
  wmma::fragment<wmma::accumulator, high, wide, deep, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int begin = 0; begin < k; begin += deep) {
    for (int e = t; e < high * deep; e += 32 * warps) {
      const int r = row + e / deep, s = begin + e % deep;
      x[e / deep][e % deep] = r < m && s < k ? a[static_cast<size_t>(r) * k + s] : half(0);
    }
    for (int e = t; e < warps * wide * deep; e += 32 * warps) {
      const int r = begin + e / (warps * wide), s = column + e % (warps * wide);
      y[e % (warps * wide)][e / (warps * wide)] =
          r < k && s < n ? b[static_cast<size_t>(r) * n + s] : half(0);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, high, wide, deep, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, high, wide, deep, half, wmma::col_major> right;
    wmma::load_matrix_sync(left, &x[0][0], pitch);
    wmma::load_matrix_sync(right, &y[warp * wide][0], pitch);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(&z[warp][0][0], sum, wide, wmma::mem_row_major);
  __syncwarp();
  for (int e = lane; e < high * wide; e += 32) {
    const int r = row + e / wide, s = column + warp * wide + e % wide;
    if (r < m && s < n) c[static_cast<size_t>(r) * n + s] = z[warp][e / wide][e % wide];
  }
}

void product_wmma(const half* a, const half* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / (warps * wide) + 1, (m - 1) / high + 1);
  warps_kernel<<<grid, 32 * warps>>>(a, b, c, m, n, k);
}
