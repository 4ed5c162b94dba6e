// Sorting, merging and searching.
#include "silent.cuh"

static std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

namespace bitonic_shared {
__global__ void sort(int* x) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int size = 2; size <= 256; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = t ^ step;
      if (other > t) {
        const bool up = (t & size) == 0;
        const int a = s[t], b = s[other];
        if ((a > b) == up) {
          s[t] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  }
  x[t] = s[t];
}
PROGRAM(bitonic_shared) {
  const auto in = numbers(256, 1000);
  Array<int> x(in);
  sort<<<1, 256>>>(x);
  return x.host() == sorted(in);
}
}  // namespace bitonic_shared

/// One launch a step; each pair of elements belongs to one thread.
namespace bitonic_launches {
__global__ void step(int* x, int size, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
  if (other <= i) return;
  const int a = x[i], b = x[other];
  if ((a > b) == ((i & size) == 0)) {
    x[i] = b;
    x[other] = a;
  }
}
PROGRAM(bitonic_launches) {
  const auto in = numbers(512, 1000);
  Array<int> x(in);
  for (int size = 2; size <= 512; size *= 2)
    for (int s = size / 2; s > 0; s /= 2) step<<<4, 128>>>(x, size, s);
  return x.host() == sorted(in);
}
}  // namespace bitonic_launches

/// A warp sorts its registers.
namespace bitonic_registers {
__global__ void sort(int* x) {
  const int t = threadIdx.x, lane = t % 32;
  int v = x[t];
  for (int size = 2; size <= 32; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = __shfl_xor_sync(~0u, v, step);
      const bool lower = (lane & step) == 0, up = (lane & size) == 0;
      v = lower == up ? min(v, other) : max(v, other);
    }
  }
  x[t] = v;
}
PROGRAM(bitonic_registers) {
  auto in = numbers(96, 1000);
  Array<int> x(in);
  sort<<<1, 96>>>(x);
  for (int w = 0; w < 3; ++w) std::sort(in.begin() + 32 * w, in.begin() + 32 * w + 32);
  return x.host() == in;
}
}  // namespace bitonic_registers

/// Neighbours swap, odd and even pairs by turns, until a whole round of the block has swapped nothing.
namespace odd_even {
__global__ void sort(int* x, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) s[i] = x[i];
  bool swapped = true;
  while (__syncthreads_or(swapped)) {
    swapped = false;
    for (int odd = 0; odd < 2; ++odd) {
      const int i = 2 * t + odd;
      if (i + 1 < n && s[i] > s[i + 1]) {
        const int held = s[i];
        s[i] = s[i + 1];
        s[i + 1] = held;
        swapped = true;
      }
      __syncthreads();
    }
  }
  for (int i = t; i < n; i += blockDim.x) x[i] = s[i];
}
PROGRAM(odd_even) {
  const auto in = numbers(101, 1000);
  Array<int> x(in);
  sort<<<1, 64, 101 * sizeof(int)>>>(x, 101);
  return x.host() == sorted(in);
}
}  // namespace odd_even

/// Batcher's network of merges.
namespace odd_even_merge {
__global__ void sort(int* x) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  for (int p = 1; p < 128; p *= 2) {
    for (int k = p; k > 0; k /= 2) {
      __syncthreads();
      const int from = k % p, i = t;
      if (i >= from && (i - from) % (2 * k) < k && i + k < 128 && i / (2 * p) == (i + k) / (2 * p) && s[i] > s[i + k]) {
        const int held = s[i];
        s[i] = s[i + k];
        s[i + k] = held;
      }
    }
  }
  __syncthreads();
  x[t] = s[t];
}
PROGRAM(odd_even_merge) {
  const auto in = numbers(128, 1000);
  Array<int> x(in);
  sort<<<1, 128>>>(x);
  return x.host() == sorted(in);
}
}  // namespace odd_even_merge

/// Each counts who comes before it, with ties by place.
namespace by_rank {
__global__ void sort(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x, mine = i < n ? in[i] : 0;
  int rank = 0;
  for (int first = 0; first < n; first += 64) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(64, n - first); ++k) rank += tile[k] < mine || (tile[k] == mine && first + k < i);
    __syncthreads();
  }
  if (i < n) out[rank] = mine;
}
PROGRAM(by_rank) {
  const auto in = numbers(300, 100);
  Array<int> a(in), out(300);
  sort<<<5, 64>>>(a, out, 300);
  return out.host() == sorted(in);
}
}  // namespace by_rank

/// Ever longer runs, merged by a thread each, from one buffer to the other.
namespace merge_bottom_up {
__global__ void merge(const int* in, int* out, int run, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * run;
  if (first >= n) return;
  const int middle = min(first + run, n), end = min(first + 2 * run, n);
  for (int a = first, b = middle, to = first; to < end; ++to)
    out[to] = b >= end || (a < middle && in[a] <= in[b]) ? in[a++] : in[b++];
}
PROGRAM(merge_bottom_up) {
  const auto values = numbers(500, 1000);
  Array<int> a(values), b(500);
  int *from = a, *to = b;
  for (int run = 1; run < 500; run *= 2, std::swap(from, to)) merge<<<blocks_for(500, 2 * run * 32), 32>>>(from, to, run, 500);
  std::vector<int> got(500);
  CUDA(cudaMemcpy(got.data(), from, 2000, cudaMemcpyDeviceToHost));
  return got == sorted(values);
}
}  // namespace merge_bottom_up

/// Two sorted arrays: each thread finds its place on the diagonal, and merges its few.
namespace merge_path {
__global__ void merge(const int* a, int m, const int* b, int n, int* out) {
  const int per = (m + n + blockDim.x - 1) / blockDim.x, first = min(static_cast<int>(threadIdx.x) * per, m + n);
  int low = max(0, first - n), high = min(first, m);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[first - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  for (int i = low, j = first - low, to = first; to < min(first + per, m + n); ++to)
    out[to] = j >= n || (i < m && a[i] <= b[j]) ? a[i++] : b[j++];
}
PROGRAM(merge_path) {
  const auto a = sorted(numbers(150, 500)), b = sorted(numbers(233, 500, 9));
  std::vector<int> wanted(383);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
  Array<int> da(a), db(b), out(383);
  merge<<<1, 64>>>(da, 150, db, 233, out);
  return out.host() == wanted;
}
}  // namespace merge_path

/// Four bits at a time: counts of each block, a scan over all, and places within the block by order.
namespace radix {
__global__ void count(const unsigned* in, int* counts, int shift) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 64 + threadIdx.x] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}
__global__ void offsets(int* counts, int n) {
  for (int i = 0, sum = 0; i < n; ++i) {
    const int here = counts[i];
    counts[i] = sum;
    sum += here;
  }
}
__global__ void place(const unsigned* in, unsigned* out, const int* offsets, int shift) {
  __shared__ unsigned digits[64];
  const unsigned v = in[blockIdx.x * 64 + threadIdx.x], digit = v >> shift & 15;
  digits[threadIdx.x] = digit;
  __syncthreads();
  int before = 0;
  for (int i = 0; i < threadIdx.x; ++i) before += digits[i] == digit;
  out[offsets[digit * gridDim.x + blockIdx.x] + before] = v;
}
PROGRAM(radix) {
  auto values = numbers<unsigned>(256, 1 << 12);
  Array<unsigned> a(values), b(256);
  Array<int> counts(64);
  unsigned *from = a, *to = b;
  for (int shift = 0; shift < 12; shift += 4, std::swap(from, to)) {
    count<<<4, 64>>>(from, counts, shift);
    offsets<<<1, 1>>>(counts, 64);
    place<<<4, 64>>>(from, to, counts, shift);
  }
  std::vector<unsigned> got(256);
  CUDA(cudaMemcpy(got.data(), from, 1024, cudaMemcpyDeviceToHost));
  std::sort(values.begin(), values.end());
  return got == values;
}
}  // namespace radix

/// One bit at a time within a block, in place: all have read before the first one writes.
namespace radix_in_place {
__global__ void sort(unsigned* x) {
  __shared__ unsigned s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  for (int bit = 0; bit < 10; ++bit) {
    __syncthreads();
    const unsigned v = s[t];
    const bool one = v >> bit & 1;
    const unsigned ones = __ballot_sync(~0u, one);
    __shared__ int zeros_of[2];
    if (t % 32 == 0) zeros_of[t / 32] = 32 - __popc(ones);
    __syncthreads();
    const int zeros = zeros_of[0] + zeros_of[1], lower = (1u << t % 32) - 1;
    const int ones_before = __popc(ones & lower) + (t < 32 ? 0 : 32 - zeros_of[0]);
    s[one ? zeros + ones_before : t - ones_before] = v;
  }
  __syncthreads();
  x[t] = s[t];
}
PROGRAM(radix_in_place) {
  auto in = numbers<unsigned>(64, 1 << 10);
  Array<unsigned> x(in);
  sort<<<1, 64>>>(x);
  std::sort(in.begin(), in.end());
  return x.host() == in;
}
}  // namespace radix_in_place

/// Quicksort by a thread, with a stack of its own.
namespace quick_with_stack {
__global__ void sort(int* x, int rows, int n) {
  if (threadIdx.x >= rows) return;
  int* row = x + threadIdx.x * n;
  int stack[40], top = 0;
  stack[top++] = 0;
  stack[top++] = n - 1;
  while (top > 0) {
    const int high = stack[--top], low = stack[--top], pivot = row[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (row[i] < pivot) ++i;
      while (row[j] > pivot) --j;
      if (i <= j) {
        const int held = row[i];
        row[i++] = row[j];
        row[j--] = held;
      }
    }
    if (low < j) stack[top++] = low, stack[top++] = j;
    if (i < high) stack[top++] = i, stack[top++] = high;
  }
}
PROGRAM(quick_with_stack) {
  auto in = numbers(20 * 50, 1000);
  Array<int> x(in);
  sort<<<1, 32>>>(x, 20, 50);
  for (int r = 0; r < 20; ++r) std::sort(in.begin() + r * 50, in.begin() + r * 50 + 50);
  return x.host() == in;
}
}  // namespace quick_with_stack

/// Insertion into a few registers: the three smallest of each thread, then of the block.
namespace three_smallest {
__device__ void insert(int (&best)[3], int v) {
  for (int k = 0; k < 3; ++k) {
    if (v >= best[k]) continue;
    const int held = best[k];
    best[k] = v;
    v = held;
  }
}
__global__ void find(const int* in, int* out, int n) {
  __shared__ int s[32][3];
  int best[3] = {1 << 30, 1 << 30, 1 << 30};
  for (int i = threadIdx.x; i < n; i += 32) insert(best, in[i]);
  for (int k = 0; k < 3; ++k) s[threadIdx.x][k] = best[k];
  __syncwarp();
  if (threadIdx.x != 0) return;
  for (int t = 1; t < 32; ++t)
    for (int k = 0; k < 3; ++k) insert(best, s[t][k]);
  for (int k = 0; k < 3; ++k) out[k] = best[k];
}
PROGRAM(three_smallest) {
  auto in = numbers(500, 100000);
  Array<int> a(in), out(3);
  find<<<1, 32>>>(a, out, 500);
  in = sorted(in);
  in.resize(3);
  return out.host() == in;
}
}  // namespace three_smallest

namespace binary_search {
__global__ void places(const int* sorted, int n, const int* asked, int* out) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sorted[middle] < asked[threadIdx.x])
      low = middle + 1;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}
PROGRAM(binary_search) {
  const auto in = sorted(numbers(333, 1000)), asked = numbers(64, 1100, 5);
  Array<int> a(in), b(asked), out(64);
  places<<<1, 64>>>(a, 333, b, out);
  std::vector<int> wanted;
  for (int v : asked) wanted.push_back(std::lower_bound(in.begin(), in.end(), v) - in.begin());
  return out.host() == wanted;
}
}  // namespace binary_search

/// Pivots out of a sample, a bucket each, sorted by a block each: buckets are filled by atomics.
namespace sample_sort {
__global__ void fill(const int* in, const int* pivots, int* sizes, int* buckets, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int b = 0;
  while (b < 3 && in[i] >= pivots[b]) ++b;
  buckets[b * 400 + atomicAdd(&sizes[b], 1)] = in[i];
}
__global__ void sort(const int* sizes, const int* buckets, int* out) {
  __shared__ int first;
  if (threadIdx.x == 0) {
    first = 0;
    for (int b = 0; b < blockIdx.x; ++b) first += sizes[b];
  }
  __syncthreads();
  const int n = sizes[blockIdx.x];
  const int* mine = buckets + blockIdx.x * 400;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int rank = 0;
    for (int k = 0; k < n; ++k) rank += mine[k] < mine[i] || (mine[k] == mine[i] && k < i);
    out[first + rank] = mine[i];
  }
}
PROGRAM(sample_sort) {
  const auto in = numbers(400, 1000);
  Array<int> a(in), pivots(std::vector<int>{250, 500, 750}), sizes(4), buckets(1600), out(400);
  fill<<<4, 128>>>(a, pivots, sizes.zero(), buckets, 400);
  sort<<<4, 64>>>(sizes, buckets, out);
  return out.host() == sorted(in);
}
}  // namespace sample_sort

/// Keys and values apart, moved together.
namespace pairs {
__global__ void sort(float* keys, int* values) {
  __shared__ float k[64];
  __shared__ int v[64];
  const int t = threadIdx.x;
  k[t] = keys[t];
  v[t] = values[t];
  __syncthreads();
  for (int round = 0; round < 64; ++round) {
    const int i = 2 * t + round % 2;
    if (i + 1 < 64 && k[i] > k[i + 1]) {
      const float key = k[i];
      const int value = v[i];
      k[i] = k[i + 1], v[i] = v[i + 1];
      k[i + 1] = key, v[i + 1] = value;
    }
    __syncthreads();
  }
  keys[t] = k[t];
  values[t] = v[t];
}
PROGRAM(pairs) {
  const auto in = numbers<float>(64, 100000);
  std::vector<int> order(64);
  for (int i = 0; i < 64; ++i) order[i] = i;
  Array<float> keys(in);
  Array<int> values(order);
  sort<<<1, 64>>>(keys, values);
  const auto k = keys.host();
  const auto v = values.host();
  for (int i = 0; i < 64; ++i)
    if (k[i] != in[v[i]] || (i > 0 && k[i - 1] > k[i])) return false;
  return true;
}
}  // namespace pairs

/// Gaps become smaller; within one gap each thread owns the elements of its own remainder.
namespace shell {
__global__ void sort(int* x, int n) {
  __shared__ int s[200];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
  for (const int gap : {57, 23, 10, 4, 1}) {
    __syncthreads();
    if (threadIdx.x >= gap) continue;  // to the next barrier, where all come
    for (int i = threadIdx.x + gap; i < n; i += gap) {
      const int v = s[i];
      int j = i;
      for (; j >= gap && s[j - gap] > v; j -= gap) s[j] = s[j - gap];
      s[j] = v;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = s[i];
}
PROGRAM(shell) {
  const auto in = numbers(200, 1000);
  Array<int> x(in);
  sort<<<1, 64>>>(x, 200);
  return x.host() == sorted(in);
}
}  // namespace shell
