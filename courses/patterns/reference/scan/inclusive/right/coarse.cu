// Each thread scans some neighbouring elements by itself, and the block scans the threads' sums. The elements are loaded
// through a tile in shared memory, or as int4.
#include "contract.cuh"

constexpr int threads = 128, each = 5, section = threads * each;

enum class Way { kogge_stone, brent_kung, shuffle };

// The inclusive scan of one value a thread.
template <Way way>
__device__ int scan_threads(int v, int* memory) {
  const int t = threadIdx.x;
  if (way == Way::shuffle) {
    const int lane = t & 31;
    for (int d = 1; d < 32; d += d) {
      const int other = __shfl_up_sync(~0u, v, d);
      if (lane >= d) v += other;
    }
    if (lane == 31) memory[t / 32] = v;
    __syncthreads();
    int w = lane < threads / 32 ? memory[lane] : 0;
    for (int d = 1; d < threads / 32; d += d) {
      const int other = __shfl_up_sync(~0u, w, d);
      if (lane >= d) w += other;
    }
    const int before = __shfl_sync(~0u, w, max(t / 32 - 1, 0));
    return t < 32 ? v : v + before;
  }
  if (way == Way::kogge_stone) {
    memory[t] = v;
    for (int d = 1; d < threads; d *= 2) {
      __syncthreads();
      if (t >= d) v += memory[t - d];
      __syncthreads();
      memory[t] = v;
    }
    return v;
  }
  const auto at = [memory](int k) -> int& { return memory[k + k / 32]; };
  at(t) = v;
  for (int d = 2; d <= threads; d *= 2) {
    __syncthreads();
    if (t < threads / d) at(t * d + d - 1) += at(t * d + d / 2 - 1);
  }
  for (int d = threads / 2; d > 1; d /= 2) {
    __syncthreads();
    if (t < threads / d - 1) at(t * d + d - 1 + d / 2) += at(t * d + d - 1);
  }
  __syncthreads();
  return at(t);
}

template <Way way>
__global__ void coarse(const int* x, int* y, int* sums, int n) {
  __shared__ int tile[section], memory[threads + threads / 32];
  const int t = threadIdx.x, begin = blockIdx.x * section;
  for (int k = t; k < section; k += threads) tile[k] = begin + k < n ? x[begin + k] : 0;
  __syncthreads();
  int own[each], sum = 0;
  for (int e = 0; e < each; ++e) own[e] = sum += tile[t * each + e];
  const int upto = scan_threads<way>(sum, memory);
  for (int e = 0; e < each; ++e) tile[t * each + e] = upto - sum + own[e];
  __syncthreads();
  for (int k = t; k < section && begin + k < n; k += threads) y[begin + k] = tile[k];
  if (t == threads - 1) sums[blockIdx.x] = upto;
}

__global__ void coarse_shuffle(const int* x, int* y, int* sums, int n) {
  __shared__ int memory[threads];
  const int at = (blockIdx.x * threads + static_cast<int>(threadIdx.x)) * 4;
  int4 v = {0, 0, 0, 0};
  if (at + 4 <= n) {
    v = *reinterpret_cast<const int4*>(x + at);
  } else {
    if (at < n) v.x = x[at];
    if (at + 1 < n) v.y = x[at + 1];
    if (at + 2 < n) v.z = x[at + 2];
  }
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const int upto = scan_threads<Way::shuffle>(v.w, memory), before = upto - v.w;
  v = make_int4(v.x + before, v.y + before, v.z + before, upto);
  if (at + 4 <= n) {
    *reinterpret_cast<int4*>(y + at) = v;
  } else {
    if (at < n) y[at] = v.x;
    if (at + 1 < n) y[at + 1] = v.y;
    if (at + 2 < n) y[at + 2] = v.z;
  }
  if (threadIdx.x == threads - 1) sums[blockIdx.x] = upto;
}

template <int section>
__global__ void shift(int* y, const int* sums, int n) {
  const int begin = (blockIdx.x + 1) * section;
  for (int k = begin + static_cast<int>(threadIdx.x); k < min(begin + section, n); k += threads)
    y[k] += sums[blockIdx.x];
}

template <int section>
static void whole(void (*kernel)(const int*, int*, int*, int), const int* x, int* y, int n) {
  if (n == 0) return;
  const int blocks = (n + section - 1) / section;
  int *sums = nullptr, *scanned = nullptr;
  cudaMalloc(&sums, sizeof(int) * static_cast<size_t>(blocks));
  cudaMalloc(&scanned, sizeof(int) * static_cast<size_t>(blocks));
  kernel<<<blocks, threads>>>(x, y, sums, n);
  if (blocks > 1) {
    whole<section>(kernel, sums, scanned, blocks);
    shift<section><<<blocks - 1, threads>>>(y, scanned, n);
  }
  cudaFree(sums);
  cudaFree(scanned);
}

void scan_kogge_stone(const int* x, int* y, int n) { whole<section>(coarse<Way::kogge_stone>, x, y, n); }
void scan_brent_kung(const int* x, int* y, int n) { whole<section>(coarse<Way::brent_kung>, x, y, n); }
void scan_shuffle(const int* x, int* y, int n) { whole<4 * threads>(coarse_shuffle, x, y, n); }
