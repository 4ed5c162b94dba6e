// global: one thread an element of c, straight from global memory. Every thread of a warp reads the same element of a,
// and neighbours read neighbours of b; nothing is kept, so each element is fetched n times.

#include "matmul.cuh"

template <class T>
__global__ void product_global(const T* a, const T* b, T* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "global";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_global<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
