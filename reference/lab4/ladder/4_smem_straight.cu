// smem-3: tiles stored as they lie in memory. A warp writes and reads rows: no conflicts, and no padding is needed; the
// element of the first tile is the same for the whole warp, and four consecutive ones can be read at once.

#include "matmul.cuh"

template <class T>
__global__ void product_tiles(const T* a, const T* b, T* c, int n) {
  __shared__ T as[32][32];
  __shared__ T bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  T sum = 0;
  for (int first = 0; first < n; first += 32) {
    as[ty][tx] = a[row * n + first + tx];
    bs[ty][tx] = b[(first + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "smem-3";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_tiles<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
