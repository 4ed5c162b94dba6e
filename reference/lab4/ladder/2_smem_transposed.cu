// smem-1: 32x32 tiles in shared memory, stored transposed. A warp writes a column of each tile, and reads a column of
// the second in the inner loop: all 32 lanes meet in one bank.

#include "matmul.cuh"

template <class T>
__global__ void product_tiles(const T* a, const T* b, T* c, int n) {
  __shared__ T as[32][32];
  __shared__ T bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  T sum = 0;
  for (int first = 0; first < n; first += 32) {
    as[tx][ty] = a[row * n + first + tx];
    bs[tx][ty] = b[(first + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += as[k][ty] * bs[tx][k];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "smem-1";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_tiles<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
