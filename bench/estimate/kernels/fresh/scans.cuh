#pragma once
// Scans, sorting, counting, searching.
#include <cuda_fp16.h>

#include "../../cases.cuh"

namespace fresh_kernels {

template <int kBlock>
__global__ void hillis_steele(const float* in, float* out, int n) {
  __shared__ float s[2][kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x;
  int now = 0;
  s[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) out[i] = s[now][t];
}
/// Exclusive, two elements a thread.
template <int kBlock>
__global__ void blelloch(const float* in, float* out) {
  constexpr int kBoth = 2 * kBlock;
  __shared__ float s[kBoth];
  const int t = threadIdx.x, from = blockIdx.x * kBoth;
  s[2 * t] = in[from + 2 * t];
  s[2 * t + 1] = in[from + 2 * t + 1];
  int offset = 1;
  for (int d = kBoth / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
  }
  if (t == 0) s[kBoth - 1] = 0;
  for (int d = 1; d < kBoth; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float x = s[a];
      s[a] = s[b];
      s[b] += x;
    }
  }
  __syncthreads();
  out[from + 2 * t] = s[2 * t];
  out[from + 2 * t + 1] = s[2 * t + 1];
}
__global__ void scan_shuffles(const int* in, int* out, int* sums, int n) {
  __shared__ int warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int x = i < n ? in[i] & 15 : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, x, d);
    if (lane >= d) x += other;
  }
  if (lane == 31) warps[warp] = x;
  __syncthreads();
  if (warp == 0) {
    int w = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, w, d);
      if (lane >= d) w += other;
    }
    warps[lane] = w;
  }
  __syncthreads();
  if (warp > 0) x += warps[warp - 1];
  if (i < n) out[i] = x;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = x;
}
__global__ void bitonic_step(int* keys, int j, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other <= i) return;
  const int a = keys[i], b = keys[other];
  const bool up = (i & k) == 0;
  keys[i] = up ? min(a, b) : max(a, b);
  keys[other] = up ? max(a, b) : min(a, b);
}
template <int kBlock>
__global__ void bitonic_shared(const float* in, float* out) {
  __shared__ float s[2 * kBlock];
  const int from = blockIdx.x * 2 * kBlock, t = threadIdx.x;
  s[t] = in[from + t];
  s[t + kBlock] = in[from + t + kBlock];
  for (int size = 2; size <= 2 * kBlock; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * t - (t & (stride - 1));
      const bool up = (t & (size / 2)) == 0;
      if ((s[at] > s[at + stride]) == up) {
        const float x = s[at];
        s[at] = s[at + stride];
        s[at + stride] = x;
      }
    }
  __syncthreads();
  out[from + t] = s[t];
  out[from + t + kBlock] = s[t + kBlock];
}
__global__ void letters_global(const unsigned char* text, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int at = text[i] - 'a';
  if (at >= 0 && at < 26) atomicAdd(&bins[at], 1);
}
/// Each block has its own bins; with kStretch each thread has a stretch of the text, else threads take turns.
template <bool kStretch>
__global__ void letters_shared(const unsigned char* text, int* bins, int n, int stretch) {
  __shared__ int mine[26];
  if (threadIdx.x < 26) mine[threadIdx.x] = 0;
  __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  const int begin = kStretch ? thread * stretch : thread, end = kStretch ? min(n, begin + stretch) : n;
  for (int i = begin; i < end; i += kStretch ? 1 : all) {
    const int at = text[i] - 'a';
    if (at >= 0 && at < 26) atomicAdd(&mine[at], 1);
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
__global__ void count_byte(const unsigned char* text, int* count, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] == what) atomicAdd(count, 1);
}
__global__ void count_words(const unsigned char* text, int* count, int n) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if (threadIdx.x % 32 == 0) atomicAdd(count, mine);
}
__global__ void to_upper(const unsigned char* text, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
}
__global__ void lower_bound(const int* sorted, int size, const int* keys, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i] % (7 * size);
  int at = 0, left = size;
  while (left > 0) {
    const int half = left / 2;
    if (sorted[at + half] < key) {
      at += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  out[i] = at;
}
/// Merges two sorted arrays: each thread finds the place of its own element.
__global__ void merge_by_rank(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = a[i];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (b[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i + low] = key;
}
__global__ void count_primes(int* count, int n) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 3;
  if (x >= n) return;
  bool prime = true;
  for (int d = 3; d * d <= x && prime; d += 2) prime = x % d != 0;
  if (prime) atomicAdd(count, 1);
}
__global__ void collatz(int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long x = i + 1;
  int count = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++count;
  }
  steps[i] = count;
}

}  // namespace fresh_kernels
