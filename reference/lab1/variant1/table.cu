// lab1 variant1, the reference solution: a table of sin(sqrt(x)), twice.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block

static unsigned blocks_for(int count) { return static_cast<unsigned>((count - 1) / threads + 1); }

// sqrtf and the fast sine are one instruction each on the multiprocessor's special function unit.
__device__ float value(float start, float step, long long i) {
  return __sinf(sqrtf(start + static_cast<float>(i) * step));
}

// One thread an element. All threads read the same two numbers, through the caches of global memory.
__global__ void table_global_kernel(const float* grid, float* y, int n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = value(grid[0], grid[1], i);
}

void table_global(const float* grid, float* y, int n) {
  if (n == 0) return;  // a grid must not be empty
  table_global_kernel<<<blocks_for(n), threads>>>(grid, y, n);
  CHECK(cudaGetLastError());
}

// Constant memory has a cache of its own that serves one address to a whole warp at once, which is just what is needed
// here. Kernels cannot write it: the host copies, from one place in the GPU's memory to another.
__constant__ float constant_grid[2];

__global__ void table_constant_kernel(float* y, int n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = value(constant_grid[0], constant_grid[1], i);
}

void table_constant(const float* grid, float* y, int n) {
  if (n == 0) return;
  CHECK(cudaMemcpyToSymbol(constant_grid, grid, sizeof constant_grid, 0, cudaMemcpyDeviceToDevice));
  table_constant_kernel<<<blocks_for(n), threads>>>(y, n);
  CHECK(cudaGetLastError());
}
