// radix_sort keys: a warp votes on each bit; its lanes count the votes before them. By five bits a pass, lanes with equal
// digits find each other by votes, too; seven passes end in the other array, and a copy brings the keys back.
#include "contract.cuh"

#include <utility>

constexpr int block_size = 256;
constexpr int warps = block_size / 32;
constexpr unsigned all_lanes = 0xffffffffu;

// The lanes of the warp whose keys have this digit.
template <int bits>
__device__ unsigned peers_of(int digit) {
  unsigned peers = all_lanes;
  for (int bit = 0; bit < bits; ++bit) {
    const bool one = (digit >> bit & 1) != 0;
    const unsigned ones = __ballot_sync(all_lanes, one);
    peers &= one ? ones : ~ones;
  }
  return peers;
}

// counts[digit * all_warps + warp]. A key past the end has a digit of its own, which nobody counts.
template <int bits>
__global__ void count_kernel(const unsigned* keys, int* counts, int shift, int n) {
  constexpr int digits = 1 << bits;
  __shared__ int of_warp[warps][digits + 1];
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int i = static_cast<int>(blockIdx.x) * block_size + t;
  for (int d = lane; d <= digits; d += 32) of_warp[warp][d] = 0;
  __syncwarp();
  const int digit = i < n ? static_cast<int>(keys[i] >> shift & (digits - 1)) : digits;
  const unsigned peers = peers_of<bits + 1>(digit);
  if (lane == __ffs(static_cast<int>(peers)) - 1) of_warp[warp][digit] = __popc(peers);
  __syncwarp();
  const int all_warps = static_cast<int>(gridDim.x) * warps,
            number = static_cast<int>(blockIdx.x) * warps + warp;
  for (int d = lane; d < digits; d += 32) counts[d * all_warps + number] = of_warp[warp][d];
}

// A warp that walks over the counts.
__global__ void scan_kernel(int* counts, int n) {
  const int lane = static_cast<int>(threadIdx.x);
  int before = 0;
  for (int begin = 0; begin < n; begin += 32) {
    const int mine = begin + lane < n ? counts[begin + lane] : 0;
    int sum = mine;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(all_lanes, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (begin + lane < n) counts[begin + lane] = before + sum - mine;
    before += __shfl_sync(all_lanes, sum, 31);
  }
}

template <int bits>
__global__ void move_kernel(const unsigned* keys, unsigned* out, const int* begins, int shift, int n) {
  constexpr int digits = 1 << bits;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32;
  const int i = static_cast<int>(blockIdx.x) * block_size + t;
  const unsigned key = i < n ? keys[i] : 0;
  const int digit = i < n ? static_cast<int>(key >> shift & (digits - 1)) : digits;
  const unsigned before = peers_of<bits + 1>(digit) & ((1u << lane) - 1);
  const int all_warps = static_cast<int>(gridDim.x) * warps,
            number = static_cast<int>(blockIdx.x) * warps + t / 32;
  if (i < n) out[begins[digit * all_warps + number] + __popc(before)] = key;
}

template <int bits>
static void sort(unsigned* keys, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / block_size + 1, counted = (1 << bits) * blocks * warps;
  unsigned* other = nullptr;
  int* counts = nullptr;
  cudaMalloc(&other, static_cast<size_t>(n) * sizeof *other);
  cudaMalloc(&counts, static_cast<size_t>(counted) * sizeof *counts);
  unsigned *from = keys, *to = other;
  for (int shift = 0; shift < 32; shift += bits) {
    count_kernel<bits><<<blocks, block_size>>>(from, counts, shift, n);
    scan_kernel<<<1, 32>>>(counts, counted);
    move_kernel<bits><<<blocks, block_size>>>(from, to, counts, shift, n);
    std::swap(from, to);
  }
  if (from != keys) cudaMemcpy(keys, from, static_cast<size_t>(n) * sizeof *keys, cudaMemcpyDeviceToDevice);
  cudaFree(other);
  cudaFree(counts);
}

void radix_sort_bits(unsigned* keys, int n) { sort<1>(keys, n); }

void radix_sort_digits(unsigned* keys, int n) { sort<5>(keys, n); }
