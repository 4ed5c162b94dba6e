// @LAB@ @VARIANT@, the reference solution.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block

__global__ void saxpy_kernel(int n, float alpha, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = alpha * x[i] + y[i];
}

void @ENTRY@_global(int n, float alpha, const float* x, float* y) {
  if (n == 0) return;  // a grid must not be empty
  saxpy_kernel<<<(n - 1) / threads + 1, threads>>>(n, alpha, x, y);
  CHECK(cudaGetLastError());
}
