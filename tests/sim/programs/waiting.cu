// Blocks that wait for others look no more often than it takes, and those that share work share it evenly.
// simulator alone: a card's blocks look as often as they like
#include <cooperative_groups.h>
#include "check.cuh"

constexpr int kBlocks = 40, kTiles = 3 * kBlocks, kLong = 3000;
__device__ int counter;

/// `looks` holds how often each block asked; the first does the others' work before it lets them go.
__global__ void flag(volatile int* ready, int* looks, float* work) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < kLong; ++i) work[i % 64] += 1.0f;
    __threadfence();
    *ready = 1;
  }
  int asked = 1;
  while (*ready == 0) ++asked;
  looks[blockIdx.x] = asked;
}

__global__ void lock(int* held, int* looks, float* work) {
  if (threadIdx.x % 32 != 0) return;
  int asked = 1;
  while (atomicCAS(held, 0, 1) != 0) ++asked;
  __threadfence();
  for (int i = 0; i < kLong; ++i) work[i % 64] += 1.0f;
  __threadfence();
  atomicExch(held, 0);
  looks[blockIdx.x * 2 + threadIdx.x / 32] = asked;
}

/// The last block is the first to come.
__global__ void all_have_come(int* looks) {
  if (threadIdx.x != 0) return;
  int asked = 1;
  atomicAdd(&counter, 1);
  while (atomicAdd(&counter, 0) < gridDim.x) ++asked;
  looks[blockIdx.x] = asked;
}

__global__ void grid_barriers(float* work, int* sum) {
  const auto grid = cooperative_groups::this_grid();
  for (int round = 0; round < 10; ++round) {
    if (blockIdx.x == round && threadIdx.x == 0) {
      for (int i = 0; i < kLong; ++i) work[i % 64] += 1.0f;
      *sum += 1;
    }
    grid.sync();
  }
}

__global__ void tickets_of_blocks(int* drawn) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(&counter, 1);
    __syncthreads();
    if (tile >= kTiles) return;
    if (threadIdx.x == 0) drawn[blockIdx.x] += 1;
    __syncthreads();
  }
}

__global__ void tickets_of_threads(int* drawn) {
  while (atomicAdd(&counter, 1) < kTiles) drawn[blockIdx.x] += 1;
}

/// Waits for nobody, however often it tries.
__global__ void added_by_swaps(unsigned long long* sum) {
  unsigned long long seen = *sum, before;
  do {
    before = seen;
    seen = atomicCAS(sum, before, before + threadIdx.x);
  } while (seen != before);
}

int main() {
  const int zero = 0;
  Buffer<float> work(std::vector<float>(64, 0.0f));
  Buffer<int> word(std::vector<int>(1, 0)), looks(std::vector<int>(2 * kBlocks, 0));
  const auto at_most = [&](const char* what, int most) {
    for (int n : looks.host()) {
      if (n <= most) continue;
      std::printf("%s: %d\n", what, n);
      ++mismatches;
      return;
    }
  };
  const auto evenly = [&](const char* what) {
    Buffer<int> drawn(std::vector<int>(kBlocks, 0));
    CUDA(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    if (what[0] == 'b')
      tickets_of_blocks<<<kBlocks, 64>>>(drawn);
    else
      tickets_of_threads<<<kBlocks, 1>>>(drawn);
    for (int n : drawn.host()) compare(what, n, kTiles / kBlocks, 1, "");
  };
  flag<<<kBlocks, 64>>>(word, looks, work);
  at_most("flag", 4);
  CUDA(cudaMemset(word, 0, sizeof(int)));
  lock<<<kBlocks, 64>>>(word, looks, work);
  at_most("lock", 4);
  CUDA(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
  all_have_come<<<kBlocks, 64>>>(looks);
  at_most("all_have_come", 4);
  evenly("by blocks");
  evenly("threads");
  Buffer<int> sum(std::vector<int>(1, 0));
  float* work_at = work;
  int* sum_at = sum;
  void* arguments[] = {&work_at, &sum_at};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barriers), dim3(kBlocks), dim3(64), arguments,
                                   0, nullptr));
  EXPECT(sum.host()[0] == 10);
  Buffer<unsigned long long> total(std::vector<unsigned long long>(1, 0));
  added_by_swaps<<<kBlocks, 64>>>(total);
  EXPECT(total.host()[0] == static_cast<unsigned long long>(kBlocks) * 63 * 64 / 2);
  return finish();
}
