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

static int blocks_for(int n) { return (n - 1) / threads + 1; }

__global__ void place_kernel(const int* keys, const float* values, int* sorted_keys, float* sorted_values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int key = keys[i];
  int place = 0;
  for (int k = 0; k < n; ++k) place += keys[k] < key || (keys[k] == key && k < i);
  sorted_keys[place] = key;
  sorted_values[place] = values[i];
}

__global__ void return_kernel(const int* sorted_keys, const float* sorted_values, int* keys, float* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  keys[i] = sorted_keys[i];
  values[i] = sorted_values[i];
}

void @ENTRY@_ranks(int* keys, float* values, int n) {
  if (n == 0) return;  // a grid must not be empty
  int* sorted_keys = nullptr;
  float* sorted_values = nullptr;
  CHECK(cudaMalloc(&sorted_keys, static_cast<std::size_t>(n) * sizeof *sorted_keys));
  CHECK(cudaMalloc(&sorted_values, static_cast<std::size_t>(n) * sizeof *sorted_values));
  place_kernel<<<blocks_for(n), threads>>>(keys, values, sorted_keys, sorted_values, n);
  return_kernel<<<blocks_for(n), threads>>>(sorted_keys, sorted_values, keys, values, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(sorted_keys));
  CHECK(cudaFree(sorted_values));
}
