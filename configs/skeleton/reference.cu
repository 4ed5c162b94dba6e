// @LAB@ @VARIANT@, the reference solution, twice.
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

static unsigned blocks_for(int count) { return static_cast<unsigned>((count - 1) / threads + 1); }

// One thread an element.
__global__ void @ENTRY@_global_kernel(const float* x, float* y, int n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  // TODO: the computation
}

void @ENTRY@_global(const float* x, float* y, int n) {
  if (n == 0) return;  // a grid must not be empty
  @ENTRY@_global_kernel<<<blocks_for(n), threads>>>(x, y, n);
  CHECK(cudaGetLastError());
}

// The block copies its elements into a tile, and each thread computes from a value that another one stored: what a
// thread reads back itself needs no shared memory.
__global__ void @ENTRY@_shared_kernel(const float* x, float* y, int n) {
  __shared__ float tile[threads];
  const long long first = static_cast<long long>(blockIdx.x) * threads, i = first + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  const unsigned other = threads - 1 - threadIdx.x;
  if (first + other < n) y[first + other] = tile[other];  // TODO: the computation
}

void @ENTRY@_shared(const float* x, float* y, int n) {
  if (n == 0) return;
  @ENTRY@_shared_kernel<<<blocks_for(n), threads>>>(x, y, n);
  CHECK(cudaGetLastError());
}
