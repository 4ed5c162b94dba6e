#pragma once
// One after the other: chains of loads at every level, chains of arithmetic beside each other, barriers.
#include "../cases.cuh"

__global__ void chase(const int* chain, int* out, int steps, int mask) {
  int at = threadIdx.x + blockIdx.x * 77;
  for (int i = 0; i < steps; ++i) at = chain[at & mask];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void chase_shared(int* out, int steps) {
  __shared__ int chain[256];
  chain[threadIdx.x] = (threadIdx.x + 33) % 256;
  __syncthreads();
  int at = threadIdx.x;
  for (int i = 0; i < steps; ++i) at = chain[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
template <int kChains>
__global__ void chains(float* out, float x, int steps) {
  float sums[kChains];
#pragma unroll
  for (int k = 0; k < kChains; ++k) sums[k] = threadIdx.x + k;
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int k = 0; k < kChains; ++k) sums[k] = sums[k] * x + 0.5f;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kChains; ++k) sum += sums[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void barriers(float* out, int steps) {
  float x = threadIdx.x;
  for (int i = 0; i < steps; ++i) {
    x = x * 1.5f + 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

inline void latencies(Cases& cases) {
  const Pool& p = cases.pool;
  cases.family = "chase";
  cases.add("memory_1x1", 1, 1, 0, chase, p.chain, p.counters, 500, (1 << 20) - 1);
  cases.add("memory_1x32", 1, 32, 0, chase, p.chain, p.counters, 500, (1 << 20) - 1);
  cases.add("memory_132x256", 132, 256, 0, chase, p.chain, p.counters, 100, (1 << 20) - 1);
  cases.add("l1_1x1", 1, 1, 0, chase, p.chain, p.counters, 4000, 1023);
  cases.add("l1_132x256", 132, 256, 0, chase, p.chain, p.counters, 1000, 1023);
  cases.add("l2_1x1", 1, 1, 0, chase, p.chain, p.counters, 8000, (1 << 17) - 1);
  cases.family = "chase_shared";
  cases.add("1x256", 1, 256, 0, chase_shared, p.counters, 2000);
  cases.add("264x256", 264, 256, 0, chase_shared, p.counters, 1000);
  cases.add("1056x256", 1056, 256, 0, chase_shared, p.counters, 500);
  cases.family = "ilp";
  cases.add("1_of_32", 132, 32, 0, chains<1>, p.b, 0.5f, 4000);
  cases.add("4_of_32", 132, 32, 0, chains<4>, p.b, 0.5f, 4000);
  cases.add("8_of_128", 132, 128, 0, chains<8>, p.b, 0.5f, 2000);
  cases.add("1_of_1024", 132, 1024, 0, chains<1>, p.b, 0.5f, 2000);
  cases.add("8_of_1024", 264, 1024, 0, chains<8>, p.b, 0.5f, 400);
  cases.family = "barrier";
  for (const int block : {32, 128, 512, 1024}) cases.add("1_of_" + std::to_string(block), 132, block, 0, barriers, p.b, 500);
  cases.add("8_of_256", 132 * 8, 256, 0, barriers, p.b, 300);
}
