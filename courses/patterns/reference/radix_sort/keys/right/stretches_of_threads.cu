// radix_sort keys: each thread counts the digits of a stretch of keys, and moves them one after the other. A scan over
// the counts of all threads, digit by digit, says where each thread's keys go.
#include "contract.cuh"

#include <utility>

constexpr int block_size = 128;
constexpr int each = 8;  // keys of a thread

template <int digits>
__global__ void count_kernel(const unsigned* keys, int* counts, int shift, int n, int threads) {
  const int thread = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (thread >= threads) return;
  int mine[digits] = {};
  for (int i = thread * each; i < min(n, (thread + 1) * each); ++i) ++mine[keys[i] >> shift & (digits - 1)];
  for (int d = 0; d < digits; ++d) counts[d * threads + thread] = mine[d];
}

// Each thread adds up a stretch; the sums of the warps follow by shuffles.
__global__ void scan_kernel(int* counts, int n) {
  __shared__ int sums[32];
  const int t = static_cast<int>(threadIdx.x), size = (n - 1) / static_cast<int>(blockDim.x) + 1;
  const int begin = min(n, t * size), end = min(n, begin + size);
  int mine = 0;
  for (int i = begin; i < end; ++i) mine += counts[i];
  int sum = mine;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, sum, distance);
    if (t % 32 >= distance) sum += other;
  }
  if (t % 32 == 31) sums[t / 32] = sum;
  __syncthreads();
  int before = sum - mine;
  for (int w = 0; w < t / 32; ++w) before += sums[w];
  for (int i = begin; i < end; ++i) {
    const int count = counts[i];
    counts[i] = before;
    before += count;
  }
}

template <int digits>
__global__ void move_kernel(const unsigned* keys, unsigned* out, const int* begins, int shift, int n,
                            int threads) {
  const int thread = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (thread >= threads) return;
  int place[digits];
  for (int d = 0; d < digits; ++d) place[d] = begins[d * threads + thread];
  for (int i = thread * each; i < min(n, (thread + 1) * each); ++i)
    out[place[keys[i] >> shift & (digits - 1)]++] = keys[i];
}

template <int bits>
static void sort(unsigned* keys, int n) {
  if (n == 0) return;
  constexpr int digits = 1 << bits;
  const int threads = (n - 1) / each + 1, blocks = (threads - 1) / block_size + 1;
  unsigned* other = nullptr;
  int* counts = nullptr;
  cudaMalloc(&other, static_cast<size_t>(n) * sizeof *other);
  cudaMalloc(&counts, static_cast<size_t>(digits) * threads * sizeof *counts);
  unsigned *from = keys, *to = other;
  for (int shift = 0; shift < 32; shift += bits) {
    count_kernel<digits><<<blocks, block_size>>>(from, counts, shift, n, threads);
    scan_kernel<<<1, 1024>>>(counts, digits * threads);
    move_kernel<digits><<<blocks, block_size>>>(from, to, counts, shift, n, threads);
    std::swap(from, to);
  }
  cudaFree(other);
  cudaFree(counts);
}

void radix_sort_bits(unsigned* keys, int n) { sort<1>(keys, n); }

void radix_sort_digits(unsigned* keys, int n) { sort<4>(keys, n); }
