// Each block collects what it keeps in shared memory and stores it as a whole. In `scan` one block walks over the whole
// array of counts after a tree of sums (Blelloch).
#include "contract.cuh"

constexpr int threads = 256, each = 4;

__global__ void collect_one(const int* x, int* kept, int* count, int n) {
  __shared__ int found[threads * each];
  __shared__ int number, first;
  if (threadIdx.x == 0) number = 0;
  __syncthreads();
  const int begin = blockIdx.x * threads * each;
  for (int k = threadIdx.x; k < threads * each; k += threads)
    if (begin + k < n && x[begin + k] > 0) found[atomicAdd(&number, 1)] = x[begin + k];
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(count, number);
  __syncthreads();
  for (int k = threadIdx.x; k < number; k += threads) kept[first + k] = found[k];
}

static unsigned blocks_of(int n) {
  return static_cast<unsigned>((n + threads * each - 1) / (threads * each));
}

void keep_atomic(const int* x, int* kept, int* count, int n) {
  cudaMemset(count, 0, sizeof(int));
  if (n > 0) collect_one<<<blocks_of(n), threads>>>(x, kept, count, n);
}

// Each warp has a tile of its own, and its lanes find their places in it by a vote.
__global__ void collect_by_warps(const int* x, int* kept, int* count, int n) {
  constexpr int part = 32 * 8;
  __shared__ int found[threads / 32][part];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int begin = (blockIdx.x * (threads / 32) + warp) * part;
  int* mine = found[warp];
  int number = 0;
  for (int k = lane; k < part; k += 32) {
    const int v = begin + k < n ? x[begin + k] : 0;
    const unsigned keeping = __ballot_sync(0xffffffff, v > 0);
    if (v > 0) mine[number + __popc(keeping & ((1u << lane) - 1))] = v;
    number += __popc(keeping);
  }
  __syncwarp();
  int first = 0;
  if (lane == 0 && number > 0) first = atomicAdd(count, number);
  first = __shfl_sync(0xffffffff, first, 0);
  for (int k = lane; k < number; k += 32) kept[first + k] = mine[k];
}

void keep_warp(const int* x, int* kept, int* count, int n) {
  cudaMemset(count, 0, sizeof(int));
  if (n > 0) collect_by_warps<<<(n + threads * 8 - 1) / (threads * 8), threads>>>(x, kept, count, n);
}

// Blelloch's exclusive scan of one number a thread; returns also the sum of all.
__device__ int scan_tree(int v, int* sum) {
  __shared__ int tree[threads];
  const int t = threadIdx.x;
  tree[t] = v;
  for (int d = 1; d < threads; d *= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * d - 1;
    if (k < threads) tree[k] += tree[k - d];
  }
  __syncthreads();
  *sum = tree[threads - 1];
  __syncthreads();
  if (t == 0) tree[threads - 1] = 0;
  for (int d = threads / 2; d > 0; d /= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * d - 1;
    if (k < threads) {
      const int left = tree[k - d];
      tree[k - d] = tree[k];
      tree[k] += left;
    }
  }
  __syncthreads();
  const int before = tree[t];
  __syncthreads();
  return before;
}

__device__ int positive(const int* x, int i, int n) { return i < n && x[i] > 0 ? 1 : 0; }

__global__ void numbers_of(const int* x, int* numbers, int n) {
  int sum = 0, total = 0;
  for (int e = 0; e < each; ++e) sum += positive(x, (blockIdx.x * each + e) * threads + threadIdx.x, n);
  scan_tree(sum, &total);
  if (threadIdx.x == 0) numbers[blockIdx.x] = total;
}

__global__ void firsts_of(int* numbers, int* count, int blocks) {
  int passed = 0;
  for (int b = threadIdx.x; b < (blocks + threads - 1) / threads * threads; b += threads) {
    int total = 0;
    const int before = scan_tree(b < blocks ? numbers[b] : 0, &total);
    if (b < blocks) numbers[b] = passed + before;
    passed += total;
  }
  if (threadIdx.x == 0) *count = passed;
}

__global__ void store(const int* x, const int* firsts, int* kept, int n) {
  int place = firsts[blockIdx.x];
  for (int e = 0; e < each; ++e) {
    const int i = (blockIdx.x * each + e) * threads + threadIdx.x;
    int total = 0;
    const int before = scan_tree(positive(x, i, n), &total);
    if (positive(x, i, n)) kept[place + before] = x[i];
    place += total;
  }
}

void keep_scan(const int* x, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  int* numbers = nullptr;
  cudaMalloc(&numbers, sizeof(int) * blocks_of(n));
  numbers_of<<<blocks_of(n), threads>>>(x, numbers, n);
  firsts_of<<<1, threads>>>(numbers, count, static_cast<int>(blocks_of(n)));
  store<<<blocks_of(n), threads>>>(x, numbers, kept, n);
  cudaFree(numbers);
}
