// Beyond the course: a block of 256 threads makes 64x64 elements of c, a thread 4x4 of them in registers. Of every eight
// values read from shared memory come sixteen products. The tile of a is stored transposed, so that a thread's four
// values lie side by side; its rows are padded for the writes.

#include "matmul.cuh"

template <class T>
__global__ void product_registers(const T* a, const T* b, T* c, int n) {
  constexpr int kTile = 64, kDepth = 16, kSide = 4, kThreads = 256;
  __shared__ T as[kDepth][kTile + 4];
  __shared__ T bs[kDepth][kTile];
  const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  T sum[kSide][kSide] = {};
  for (int first = 0; first < n; first += kDepth) {
#pragma unroll
    for (int e = thread; e < kTile * kDepth; e += kThreads) {
      const int a_row = row + e / kDepth, b_column = column + e % kTile;
      as[e % kDepth][e / kDepth] = a_row < n ? a[a_row * n + first + e % kDepth] : T(0);
      bs[e / kTile][e % kTile] = b_column < n ? b[(first + e / kTile) * n + b_column] : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      T of_a[kSide], of_b[kSide];
#pragma unroll
      for (int s = 0; s < kSide; ++s) {
        of_a[s] = as[k][ty * kSide + s];
        of_b[s] = bs[k][tx + 16 * s];
      }
#pragma unroll
      for (int i = 0; i < kSide; ++i) {
#pragma unroll
        for (int j = 0; j < kSide; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kSide; ++i) {
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
      const int y = row + ty * kSide + i, x = column + tx + 16 * j;
      if (y < n && x < n) c[y * n + x] = sum[i][j];
    }
  }
}

struct Rung {
  static constexpr const char* name = "registers";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_registers<<<dim3((n + 63) / 64, (n + 63) / 64), 256>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
