// saxpy in_place, the reference solution: y becomes alpha * x + y, three times.
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

constexpr int threads = 256;       // of a block
constexpr int fixed_blocks = 432;  // four for each multiprocessor of an A100

static unsigned blocks_for(int count) { return static_cast<unsigned>((count - 1) / threads + 1); }

// One thread an element.
__global__ void simple_kernel(int n, float alpha, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i < n) y[i] = alpha * x[i] + y[i];
}

void saxpy_simple(int n, float alpha, const float* x, float* y) {
  if (n == 0) return;  // a grid must not be empty
  simple_kernel<<<blocks_for(n), threads>>>(n, alpha, x, y);
  CHECK(cudaGetLastError());
}

// As many threads as the card holds, whatever n is. In each step all threads together have neighbouring elements. The
// index may pass INT_MAX by a step where n is near it, so it is unsigned.
__global__ void grid_stride_kernel(int n, float alpha, const float* x, float* y) {
  const unsigned step = gridDim.x * threads;
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < static_cast<unsigned>(n); i += step)
    y[i] = alpha * x[i] + y[i];
}

void saxpy_grid_stride(int n, float alpha, const float* x, float* y) {
  grid_stride_kernel<<<fixed_blocks, threads>>>(n, alpha, x, y);
  CHECK(cudaGetLastError());
}

// One thread has four elements: three accesses of 16 bytes instead of twelve of 4. Both arrays begin at multiples of 16.
__global__ void vector_kernel(int n, float alpha, const float* x, float* y) {
  const int group = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (group < n / 4) {
    const float4 a = reinterpret_cast<const float4*>(x)[group];
    float4 b = reinterpret_cast<float4*>(y)[group];
    b.x = alpha * a.x + b.x;
    b.y = alpha * a.y + b.y;
    b.z = alpha * a.z + b.z;
    b.w = alpha * a.w + b.w;
    reinterpret_cast<float4*>(y)[group] = b;
  } else if (group == n / 4) {
    for (int i = 4 * group; i < n; ++i) y[i] = alpha * x[i] + y[i];  // what fills no group
  }
}

void saxpy_vector(int n, float alpha, const float* x, float* y) {
  if (n == 0) return;
  vector_kernel<<<blocks_for(n / 4 + 1), threads>>>(n, alpha, x, y);
  CHECK(cudaGetLastError());
}
