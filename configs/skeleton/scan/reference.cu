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

// Replaces each thread's number in shared memory by the sum up to it.
__device__ void scan_block(long long* before, int t) {
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    const long long other = t >= distance ? before[t - distance] : 0;
    __syncthreads();
    before[t] += other;
  }
  __syncthreads();
}

__global__ void scan_kernel(const int* x, long long* y, long long* sums, int n) {
  __shared__ long long before[threads];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * threads + t;
  before[t] = i < n ? x[i] : 0;
  scan_block(before, t);
  if (i < n) y[i] = before[t];
  if (t == threads - 1) sums[blockIdx.x] = before[t];
}

// One block makes of the blocks' sums what comes before each block.
__global__ void first_kernel(const long long* sums, long long* firsts, int blocks) {
  __shared__ long long before[threads];
  __shared__ long long passed;  // the sum of the blocks of the rounds before
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) passed = 0;
  for (int begin = 0; begin < blocks; begin += threads) {
    const int b = begin + t;
    const long long own = b < blocks ? sums[b] : 0;
    before[t] = own;
    scan_block(before, t);
    if (b < blocks) firsts[b] = passed + before[t] - own;
    __syncthreads();
    if (t == threads - 1) passed += before[t];
    __syncthreads();
  }
}

__global__ void add_kernel(long long* y, const long long* firsts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += firsts[blockIdx.x];
}

void @ENTRY@_blocks(const int* x, long long* y, int n) {
  if (n == 0) return;  // a grid must not be empty
  long long *sums = nullptr, *firsts = nullptr;
  CHECK(cudaMalloc(&sums, static_cast<std::size_t>(blocks_for(n)) * sizeof *sums));
  CHECK(cudaMalloc(&firsts, static_cast<std::size_t>(blocks_for(n)) * sizeof *firsts));
  scan_kernel<<<blocks_for(n), threads>>>(x, y, sums, n);
  first_kernel<<<1, threads>>>(sums, firsts, blocks_for(n));
  add_kernel<<<blocks_for(n), threads>>>(y, firsts, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(sums));
  CHECK(cudaFree(firsts));
}
