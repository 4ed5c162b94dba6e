#pragma once
// What the kernels are given.
#include <cuda_fp16.h>

#include "../../cases.cuh"

namespace fresh_kernels {

__host__ __device__ inline unsigned drawn(unsigned x) {
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  return x ^ x >> 16;
}
template <class T, class Rule>
__global__ void fill_by(T* to, int n, Rule rule) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = rule(i);
}
template <class T, class Rule>
T* made(int n, Rule rule) {
  T* to = nullptr;
  CHECKED(cudaMalloc(&to, n * sizeof(T)));
  fill_by<<<512, 256>>>(to, n, rule);
  return to;
}
struct Between {
  unsigned salt;
  float low, high;
  __device__ float operator()(int i) const { return low + (high - low) * (drawn(i + salt) >> 8) * (1.0f / (1 << 24)); }
};
struct Below {
  unsigned salt, limit;
  __device__ unsigned operator()(int i) const { return drawn(i + salt) % limit; }
};
struct Zero {
  __device__ int operator()(int) const { return 0; }
};
struct OneIn {
  unsigned many;
  __device__ bool operator()(int i) const { return drawn(i) % many == 0; }
};
struct Letters {
  __device__ unsigned char operator()(int i) const {
    const unsigned x = drawn(i) >> 4;
    return x % 6 == 0 ? ' ' : 'a' + x / 6 % 26;
  }
};
struct Ascending {
  __device__ int operator()(int i) const { return 7 * i + drawn(i) % 7; }
};
constexpr int kRows = 1 << 16, kPerRow = 16;
/// Rows of 1 to 31 entries.
struct RowStart {
  __device__ int operator()(int i) const { return kPerRow * i + (i == 0 || i == kRows ? 0 : drawn(i) % kPerRow); }
};
struct NearDiagonal {
  __device__ int operator()(int i) const { return min(max(i / kPerRow + int(drawn(i) % 64) - 32, 0), kRows - 1); }
};
struct Pair {
  unsigned salt;
  __device__ __half2 operator()(int i) const { return __floats2half2_rn((drawn(i + salt) & 255) / 256.0f, 0.5f); }
};

}  // namespace fresh_kernels
