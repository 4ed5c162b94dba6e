// Lab work no. 3, A AT: the second factor's tile is read by columns. Sixteen elements apart is one bank of sixteen, and
// one of two of thirty-two.

#include "matmul.cuh"

template <class T>
__global__ void product_tiles(const T* a, T* c, int n) {
  __shared__ T as[16][16];
  __shared__ T columns[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = 0;
  for (int first = 0; first < n; first += 16) {
    as[ty][tx] = a[row * n + first + tx];
    columns[ty][tx] = a[(blockIdx.x * 16 + ty) * n + first + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * columns[tx][k];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "aat-tiles";
  static constexpr bool by_transposed = true;
  template <class T>
  static void run(const T* a, const T*, T* c, int n) {
    product_tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
