#include "contract.cuh"

template <class T>
__global__ void saxpy_kernel(int n, T alpha, const T* x, T* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = alpha * x[i] + y[i];
}

template <class T>
void saxpy(int n, T alpha, const T* x, T* y) {
  if (n > 0) saxpy_kernel<<<(n - 1) / 256 + 1, 256>>>(n, alpha, x, y);
}
