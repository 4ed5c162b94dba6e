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

static int blocks_for(int n) { return (n - 1) / threads + 1; }

__global__ void @ENTRY@_atomic_kernel(const int* x, int* kept, int* count, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && x[i] > 0) kept[atomicAdd(count, 1)] = x[i];
}

void @ENTRY@_atomic(const int* x, int* kept, int* count, int n) {
  CHECK(cudaMemset(count, 0, sizeof *count));
  if (n == 0) return;  // a grid must not be empty
  @ENTRY@_atomic_kernel<<<blocks_for(n), threads>>>(x, kept, count, n);
  CHECK(cudaGetLastError());
}

// The number of positive elements of each block.
__global__ void count_kernel(const int* x, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int number = __syncthreads_count(i < n && x[i] > 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = number;
}

// The first place of each block.
__global__ void add_up_kernel(int* counts, int* count, int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int number = counts[b];
    counts[b] = sum;
    sum += number;
  }
  *count = sum;
}

__global__ void place_kernel(const int* x, const int* firsts, int* kept, int n) {
  __shared__ int before[threads];  // how many of the threads up to this one keep their elements
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * threads + t;
  const bool keeps = i < n && x[i] > 0;
  before[t] = keeps ? 1 : 0;
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    const int other = t >= distance ? before[t - distance] : 0;
    __syncthreads();
    before[t] += other;
  }
  if (keeps) kept[firsts[blockIdx.x] + before[t] - 1] = x[i];
}

void @ENTRY@_scan(const int* x, int* kept, int* count, int n) {
  if (n == 0) {
    CHECK(cudaMemset(count, 0, sizeof *count));
    return;
  }
  int* counts = nullptr;
  CHECK(cudaMalloc(&counts, static_cast<std::size_t>(blocks_for(n)) * sizeof *counts));
  count_kernel<<<blocks_for(n), threads>>>(x, counts, n);
  add_up_kernel<<<1, 1>>>(counts, count, blocks_for(n));
  place_kernel<<<blocks_for(n), threads>>>(x, counts, kept, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(counts));
}
