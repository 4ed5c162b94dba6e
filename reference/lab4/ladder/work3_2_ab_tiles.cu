// Lab work no. 3, A B from 16x16 tiles in shared memory, stored as they lie.

#include "matmul.cuh"

template <class T>
__global__ void product_tiles(const T* a, const T* b, T* c, int n) {
  __shared__ T as[16][16];
  __shared__ T bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = 0;
  for (int first = 0; first < n; first += 16) {
    as[ty][tx] = a[row * n + first + tx];
    bs[ty][tx] = b[(first + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "ab-tiles";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
