// compaction positive, the reference solution: the positive numbers of an array, three times.
#include "contract.cuh"

#include <cstddef>
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
constexpr int lanes = 32, warps = threads / lanes;
constexpr unsigned all_lanes = 0xffffffff;

static int blocks_for(int n) { return (n - 1) / threads + 1; }

// Each thread with a positive number takes the next free place. All of them change one counter.
__global__ void atomic_kernel(const int* x, int* kept, int* count, int n) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i < n && x[i] > 0) kept[atomicAdd(count, 1)] = x[i];
}

void keep_atomic(const int* x, int* kept, int* count, int n) {
  CHECK(cudaMemset(count, 0, sizeof *count));
  if (n == 0) return;  // a grid must not be empty
  atomic_kernel<<<blocks_for(n), threads>>>(x, kept, count, n);
  CHECK(cudaGetLastError());
}

// How many of the lanes before this one are in the mask.
__device__ int lanes_before(unsigned mask, int lane) { return __popc(mask & ((1u << lane) - 1)); }

// The lanes of a warp vote, and the first of them takes places for all. The vote also says which of the places is whose.
__global__ void warp_kernel(const int* x, int* kept, int* count, int n) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const int value = i < n ? x[i] : 0;  // which is not kept
  const unsigned keeping = __ballot_sync(all_lanes, value > 0);
  int first = 0;
  if (lane == 0 && keeping != 0) first = atomicAdd(count, __popc(keeping));
  first = __shfl_sync(all_lanes, first, 0);
  if (value > 0) kept[first + lanes_before(keeping, lane)] = value;
}

void keep_warp(const int* x, int* kept, int* count, int n) {
  CHECK(cudaMemset(count, 0, sizeof *count));
  if (n == 0) return;
  warp_kernel<<<blocks_for(n), threads>>>(x, kept, count, n);
  CHECK(cudaGetLastError());
}

// Three kernels: each block counts its positive numbers, one block scans the counts, and each block stores its numbers
// from its first place on. The order of x is kept.
__global__ void count_kernel(const int* x, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  const int number = __syncthreads_count(i < n && x[i] > 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = number;
}

constexpr int scan_threads = 1024;

// Replaces each count by the sum of those before it, a round of scan_threads counts after the other.
__global__ void first_places_kernel(int* counts, int* count, int blocks) {
  __shared__ int part[scan_threads];
  const int t = static_cast<int>(threadIdx.x);
  int passed = 0;  // the sum of the rounds before
  for (int begin = 0; begin < blocks; begin += scan_threads) {
    const int own = begin + t < blocks ? counts[begin + t] : 0;
    part[t] = own;
    for (int d = 1; d < scan_threads; d *= 2) {
      __syncthreads();
      const int other = t >= d ? part[t - d] : 0;
      __syncthreads();
      part[t] += other;
    }
    __syncthreads();  // the scan is complete
    if (begin + t < blocks) counts[begin + t] = passed + part[t] - own;
    passed += part[scan_threads - 1];
    __syncthreads();  // all have read the last sum
  }
  if (t == 0) *count = passed;
}

__global__ void place_kernel(const int* x, const int* firsts, int* kept, int n) {
  __shared__ int of_warp[warps];  // how many numbers each warp keeps
  const int t = static_cast<int>(threadIdx.x), lane = t % lanes, warp = t / lanes;
  const int i = static_cast<int>(blockIdx.x) * threads + t;
  const int value = i < n ? x[i] : 0;
  const unsigned keeping = __ballot_sync(all_lanes, value > 0);
  if (lane == 0) of_warp[warp] = __popc(keeping);
  __syncthreads();
  if (value <= 0) return;
  int place = firsts[blockIdx.x] + lanes_before(keeping, lane);
  for (int w = 0; w < warp; ++w) place += of_warp[w];
  kept[place] = value;
}

void keep_scan(const int* x, int* kept, int* count, int n) {
  if (n == 0) {
    CHECK(cudaMemset(count, 0, sizeof *count));
    return;
  }
  const int blocks = blocks_for(n);
  int* counts = nullptr;
  CHECK(cudaMalloc(&counts, static_cast<size_t>(blocks) * sizeof *counts));
  count_kernel<<<blocks, threads>>>(x, counts, n);
  first_places_kernel<<<1, scan_threads>>>(counts, count, blocks);
  place_kernel<<<blocks, threads>>>(x, counts, kept, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(counts));
}
