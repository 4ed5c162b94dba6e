// First each block adds up its section, without scanning it. One block scans the sums in rounds. Then each block scans
// its section and begins with what comes before: y is written once and never read.
#include "contract.cuh"

constexpr int threads = 256, warps = threads / 32;
constexpr unsigned everyone = 0xffffffff;

__device__ int add_in_shared(int v) {  // in thread 0
  __shared__ int part[threads];
  part[threadIdx.x] = v;
  for (int d = threads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
  }
  return part[0];
}

__device__ int add_by_lanes(int v) {  // in thread 0
  __shared__ int sums[warps];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(everyone, v, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < warps ? sums[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int d = warps / 2; d > 0; d /= 2) v += __shfl_down_sync(everyone, v, d);
  return v;
}

template <bool by_lanes>
__global__ void reduce(const int* x, int* sums, int n, int section) {
  const int begin = blockIdx.x * section, end = min(begin + section, n);
  int v = 0;
  for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += threads) v += x[i];
  v = by_lanes ? add_by_lanes(v) : add_in_shared(v);
  if (threadIdx.x == 0) sums[blockIdx.x] = v;
}

// Makes the exclusive scan of the sums, `threads` of them at a time.
__global__ void offsets(int* sums, int blocks) {
  __shared__ int part[threads];
  const int t = threadIdx.x;
  int carried = 0;
  for (int begin = 0; begin < blocks; begin += threads) {
    const int own = begin + t < blocks ? sums[begin + t] : 0;
    part[t] = own;
    __syncthreads();
    for (int d = 1; d < threads; d *= 2) {
      const int v = t >= d ? part[t - d] + part[t] : part[t];
      __syncthreads();
      part[t] = v;
      __syncthreads();
    }
    if (begin + t < blocks) sums[begin + t] = carried + part[t] - own;
    carried += part[threads - 1];
    __syncthreads();
  }
}

__global__ void kogge_stone(const int* x, int* y, const int* before, int n) {
  __shared__ int part[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1; d < threads; d *= 2) {
    int v = part[t];
    if (t >= d) v += part[t - d];
    __syncthreads();
    part[t] = v;
    __syncthreads();
  }
  if (i < n) y[i] = part[t] + before[blockIdx.x];
}

// Blelloch's form: the tree down makes the exclusive scan, and each element adds itself.
__device__ int slot(int k) { return k + k / 32; }

__global__ void brent_kung(const int* x, int* y, const int* before, int n) {
  constexpr int section = 2 * threads;
  __shared__ int part[section + section / 32];
  const int t = threadIdx.x, a = blockIdx.x * section + t, b = a + threads;
  const int xa = a < n ? x[a] : 0, xb = b < n ? x[b] : 0;
  part[slot(t)] = xa;
  part[slot(t + threads)] = xb;
  int d = 1;
  for (int busy = threads; busy > 0; busy /= 2, d *= 2) {
    __syncthreads();
    if (t < busy) part[slot((2 * t + 2) * d - 1)] += part[slot((2 * t + 1) * d - 1)];
  }
  if (t == 0) part[slot(section - 1)] = before[blockIdx.x];
  for (int busy = 1; busy <= threads; busy *= 2) {
    d /= 2;
    __syncthreads();
    if (t < busy) {
      int& left = part[slot((2 * t + 1) * d - 1)];
      int& right = part[slot((2 * t + 2) * d - 1)];
      const int sum = left + right;
      left = right;
      right = sum;
    }
  }
  __syncthreads();
  if (a < n) y[a] = part[slot(t)] + xa;
  if (b < n) y[b] = part[slot(t + threads)] + xb;
}

__global__ void shuffle(const int* x, int* y, const int* before, int n) {
  __shared__ int ends[warps];
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * threads + t;
  int v = i < n ? x[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(everyone, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) ends[t / 32] = v;
  __syncthreads();
  int sum = before[blockIdx.x];
  for (int w = 0; w < t / 32; ++w) sum += ends[w];
  if (i < n) y[i] = v + sum;
}

template <bool by_lanes, class Last>
static void in_two_passes(Last last, int section, const int* x, int* y, int n) {
  if (n == 0) return;
  const int blocks = (n + section - 1) / section;
  int* sums = nullptr;
  cudaMalloc(&sums, sizeof(int) * static_cast<size_t>(blocks));
  reduce<by_lanes><<<blocks, threads>>>(x, sums, n, section);
  offsets<<<1, threads>>>(sums, blocks);
  last<<<blocks, threads>>>(x, y, sums, n);
  cudaFree(sums);
}

void scan_kogge_stone(const int* x, int* y, int n) { in_two_passes<false>(kogge_stone, threads, x, y, n); }
void scan_brent_kung(const int* x, int* y, int n) { in_two_passes<false>(brent_kung, 2 * threads, x, y, n); }
void scan_shuffle(const int* x, int* y, int n) { in_two_passes<true>(shuffle, threads, x, y, n); }
