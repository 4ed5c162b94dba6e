// One kernel for the whole array: each block waits for the sum of the block before it, adds its own and passes it on.
// Blocks take their sections in the order in which they start, so the one that a block waits for has started.
#include "contract.cuh"

struct Chain {
  int ticket, ready;  // of the next block that starts; how many sections have passed their sums on
  int sum;            // of these sections
};

constexpr unsigned full = 0xffffffff;

struct KoggeStone {  // with two arrays that change their places: one barrier a round
  static constexpr int threads = 512, section = threads;
  static __device__ void scan(int* value, int* memory) {
    const int t = threadIdx.x;
    int from = 0;
    memory[t] = *value;
    for (int d = 1; d < threads; d *= 2, from ^= 1) {
      __syncthreads();
      const int* old = memory + from * threads;
      memory[(from ^ 1) * threads + t] = t < d ? old[t] : old[t] + old[t - d];
    }
    *value = memory[from * threads + t];
  }
  static constexpr int memory = 2 * threads, each = 1;
};

__device__ int spread(int k) { return k + (k >> 5); }

struct BrentKung {  // elements 2 * t and 2 * t + 1: their sum is the first round
  static constexpr int threads = 128, section = 2 * threads, memory = threads + threads / 32, each = 2;
  static __device__ void scan(int* value, int* memory) {
    const int t = threadIdx.x;
    memory[spread(t)] = value[0] + value[1];
    int d = 1;
    for (; d < threads; d *= 2) {
      __syncthreads();
      const int k = (t + 1) * 2 * d - 1;
      if (k < threads) memory[spread(k)] += memory[spread(k - d)];
    }
    for (d = threads / 4; d > 0; d /= 2) {
      __syncthreads();
      const int k = (t + 1) * 2 * d - 1;
      if (k + d < threads) memory[spread(k + d)] += memory[spread(k)];
    }
    __syncthreads();
    const int before = t > 0 ? memory[spread(t - 1)] : 0;
    value[0] += before;
    value[1] += value[0];
  }
};

struct Shuffle {
  static constexpr int threads = 256, section = threads, memory = 8, each = 1;
  static __device__ void scan(int* value, int* memory) {
    const int t = threadIdx.x, lane = t & 31;
    int v = *value;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
      const int other = __shfl_up_sync(full, v, d);
      v += lane < d ? 0 : other;
    }
    if (lane == 31) memory[t >> 5] = v;
    __syncthreads();
    // Each warp adds up the sums of the warps before it.
    int before = lane < t >> 5 ? memory[lane] : 0;
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) before += __shfl_xor_sync(full, before, d);
    *value = v + before;
  }
};

// The elements of a thread together, where there are as many.
template <int each>
__device__ void load(const int* x, int begin, int n, int* value) {
  if (each == 2 && begin + 1 < n) {
    const int2 both = *reinterpret_cast<const int2*>(x + begin);
    value[0] = both.x;
    value[each - 1] = both.y;
    return;
  }
  for (int e = 0; e < each; ++e) value[e] = begin + e < n ? x[begin + e] : 0;
}

template <int each>
__device__ void store(int* y, int begin, int n, const int* value) {
  if (each == 2 && begin + 1 < n) {
    *reinterpret_cast<int2*>(y + begin) = make_int2(value[0], value[each - 1]);
    return;
  }
  for (int e = 0; e < each; ++e)
    if (begin + e < n) y[begin + e] = value[e];
}

template <class Way>
__global__ void chained(const int* x, int* y, int n, Chain* chain) {
  __shared__ int memory[Way::memory];
  __shared__ int section, before;
  const int t = threadIdx.x;
  if (t == 0) section = atomicAdd(&chain->ticket, 1);
  __syncthreads();
  const int begin = section * Way::section + t * Way::each;
  int value[Way::each];
  load<Way::each>(x, begin, n, value);
  Way::scan(value, memory);
  if (t == Way::threads - 1) {
    while (atomicAdd(&chain->ready, 0) < section) {
    }
    __threadfence();
    before = atomicAdd(&chain->sum, value[Way::each - 1]);
    __threadfence();
    atomicAdd(&chain->ready, 1);
  }
  __syncthreads();
  for (int e = 0; e < Way::each; ++e) value[e] += before;
  store<Way::each>(y, begin, n, value);
}

template <class Way>
static void launch(const int* x, int* y, int n) {
  if (n == 0) return;
  Chain* chain = nullptr;
  cudaMalloc(&chain, sizeof *chain);
  cudaMemset(chain, 0, sizeof *chain);
  chained<Way><<<(n - 1) / Way::section + 1, Way::threads>>>(x, y, n, chain);
  cudaFree(chain);
}

void scan_kogge_stone(const int* x, int* y, int n) { launch<KoggeStone>(x, y, n); }
void scan_brent_kung(const int* x, int* y, int n) { launch<BrentKung>(x, y, n); }
void scan_shuffle(const int* x, int* y, int n) { launch<Shuffle>(x, y, n); }
