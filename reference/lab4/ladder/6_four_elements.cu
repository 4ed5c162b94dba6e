// smem-5: the same tiles, but a block of 32x8 threads, each with 4 elements of c: what is read of the second tile
// serves 4 products, and 4 independent sums hide each other's latency.

#include "matmul.cuh"

template <class T>
__global__ void product_tiles(const T* a, const T* b, T* c, int n) {
  constexpr int kElements = 4, kStep = 32 / kElements;
  __shared__ T as[32][32];
  __shared__ T bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  T sum[kElements] = {};
  for (int first = 0; first < n; first += 32) {
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      as[ty + e * kStep][tx] = a[(row + e * kStep) * n + first + tx];
      bs[ty + e * kStep][tx] = b[(first + ty + e * kStep) * n + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      const T of_b = bs[k][tx];
#pragma unroll
      for (int e = 0; e < kElements; ++e) sum[e] += as[ty + e * kStep][k] * of_b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < kElements; ++e) c[(row + e * kStep) * n + column] = sum[e];
}

struct Rung {
  static constexpr const char* name = "smem-5";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_tiles<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
