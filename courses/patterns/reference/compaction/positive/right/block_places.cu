// `warp`: a block takes the places of all its threads by one addition. `scan`: the flags of all elements are scanned in
// global memory, by sections and recursively.
#include "contract.cuh"

constexpr int threads = 512;

__global__ void one_by_one(const int* x, int* kept, int* count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int v = x[i];
    if (v <= 0) continue;
    const int place = atomicAdd(count, 1);
    kept[place] = v;
  }
}

void keep_atomic(const int* x, int* kept, int* count, int n) {
  cudaMemsetAsync(count, 0, sizeof(int));
  if (n > 0) one_by_one<<<min((n + 255) / 256, 1024), 256>>>(x, kept, count, n);
}

// The inclusive scan of one number a thread.
__device__ int scan_block(int v) {
  __shared__ int ends[threads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) ends[warp] = v;
  __syncthreads();
  int before = lane < warp ? ends[lane] : 0;
  for (int d = 16; d > 0; d /= 2) before += __shfl_xor_sync(0xffffffff, before, d);
  return v + before;
}

__global__ void by_blocks(const int* x, int* kept, int* count, int n) {
  __shared__ int first;
  const int i = blockIdx.x * threads + threadIdx.x;
  const int value = i < n ? x[i] : -1;
  const int upto = scan_block(value > 0 ? 1 : 0);
  if (threadIdx.x == threads - 1) first = upto > 0 ? atomicAdd(count, upto) : 0;
  __syncthreads();
  if (value > 0) kept[first + upto - 1] = value;
}

void keep_warp(const int* x, int* kept, int* count, int n) {
  cudaMemset(count, 0, sizeof(int));
  if (n > 0) by_blocks<<<(n + threads - 1) / threads, threads>>>(x, kept, count, n);
}

__global__ void flags(const int* x, int* places, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) places[i] = x[i] > 0 ? 1 : 0;
}

__global__ void scan_sections(int* a, int* sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const int upto = scan_block(i < n ? a[i] : 0);
  if (i < n) a[i] = upto;
  if (threadIdx.x == threads - 1) sums[blockIdx.x] = upto;
}

__global__ void add_sections(int* a, const int* sums, int n) {
  const int i = (blockIdx.x + 1) * threads + threadIdx.x;
  if (i < n) a[i] += sums[blockIdx.x];
}

static void scan(int* a, int n) {
  const int blocks = (n + threads - 1) / threads;
  int* sums = nullptr;
  cudaMalloc(&sums, sizeof(int) * blocks);
  scan_sections<<<blocks, threads>>>(a, sums, n);
  if (blocks > 1) {
    scan(sums, blocks);
    add_sections<<<blocks - 1, threads>>>(a, sums, n);
  }
  cudaFree(sums);
}

__global__ void scatter(const int* x, const int* places, int* kept, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) kept[places[i] - 1] = x[i];
  if (i == n - 1) *count = places[i];
}

void keep_scan(const int* x, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  int* places = nullptr;
  cudaMalloc(&places, sizeof(int) * static_cast<size_t>(n));
  flags<<<(n + 255) / 256, 256>>>(x, places, n);
  scan(places, n);
  scatter<<<(n + 255) / 256, 256>>>(x, places, kept, count, n);
  cudaFree(places);
}
