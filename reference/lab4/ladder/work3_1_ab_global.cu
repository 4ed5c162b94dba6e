// Lab work no. 3, A B from global memory: blocks of 16x16, so a warp spans two rows of c and reads two elements of a and
// sixteen neighbours of b at a time.

#include "matmul.cuh"

template <class T>
__global__ void product_global(const T* a, const T* b, T* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

struct Rung {
  static constexpr const char* name = "ab-global";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    product_global<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
