// The lanes that keep their numbers are a group (cooperative groups), whose first one adds for all. `scan`: each thread
// counts in a part of its own of the array, and one thread a part stores it.
#include "contract.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void take(const int* x, int* kept, unsigned* count, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int v = x[i];
  if (v > 0) kept[atomicInc(count, 0xffffffff)] = v;
}

void keep_atomic(const int* x, int* kept, int* count, int n) {
  cudaMemset(count, 0, sizeof(int));
  if (n > 0) take<<<n / 128 + 1, 128>>>(x, kept, reinterpret_cast<unsigned*>(count), n);
}

__global__ void together(const int* x, int* kept, int* count, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || x[i] <= 0) return;
  const auto group = cg::coalesced_threads();
  int first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(group.size()));
  kept[group.shfl(first, 0) + static_cast<int>(group.thread_rank())] = x[i];
}

void keep_warp(const int* x, int* kept, int* count, int n) {
  cudaMemset(count, 0, sizeof(int));
  if (n > 0) together<<<n / 128 + 1, 128>>>(x, kept, count, n);
}

constexpr int part = 256;  // elements of a warp

__device__ int ballot_of(const int* x, int i, int end) {
  return static_cast<int>(__ballot_sync(0xffffffff, i < end && x[i] > 0));
}

__global__ void count_parts(const int* x, int* numbers, int n, int parts) {
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= parts) return;
  int sum = 0;
  for (int i = warp * part; i < warp * part + part; i += 32) sum += __popc(ballot_of(x, i + lane, n));
  if (lane == 0) numbers[warp] = sum;
}

// One warp makes the sums of the parts before each.
__global__ void scan_parts(int* numbers, int* count, int parts) {
  const int lane = threadIdx.x;
  int carried = 0;
  for (int begin = 0; begin < parts; begin += 32) {
    const int own = begin + lane < parts ? numbers[begin + lane] : 0;
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= d) sum += other;
    }
    if (begin + lane < parts) numbers[begin + lane] = carried + sum - own;
    carried += __shfl_sync(0xffffffff, sum, 31);
  }
  if (lane == 0) *count = carried;
}

__global__ void store_parts(const int* x, const int* numbers, int* kept, int n, int parts) {
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= parts) return;
  int place = numbers[warp];
  for (int i = warp * part + lane; i < warp * part + part + lane; i += 32) {
    const unsigned keeping = static_cast<unsigned>(ballot_of(x, i, n));
    if (keeping >> lane & 1) kept[place + __popc(keeping << (31 - lane)) - 1] = x[i];
    place += __popc(keeping);
  }
}

void keep_scan(const int* x, int* kept, int* count, int n) {
  const int parts = (n + part - 1) / part, blocks = parts / 8 + 1;
  int* numbers = nullptr;
  cudaMalloc(&numbers, sizeof(int) * static_cast<size_t>(parts + 1));
  count_parts<<<blocks, 256>>>(x, numbers, n, parts);
  scan_parts<<<1, 32>>>(numbers, count, parts);
  store_parts<<<blocks, 256>>>(x, numbers, kept, n, parts);
  cudaFree(numbers);
}
