#pragma once
// Atomics that meet, and those that do not: counters, histograms, scattered sums.
#include "../cases.cuh"

template <class T>
__global__ void one_counter(T* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(to, T(1));
}
__global__ void counter_by_warp(int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(~0u, i < n && i % 3 == 0);
  if (threadIdx.x % 32 == 0) atomicAdd(to, __popc(votes));
}
__global__ void counter_returned(int* to, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atomicAdd(&to[i % 64], 1);
}
__global__ void histogram(const int* in, int* bins, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] & mask], 1);
}
__global__ void histogram_shared(const int* in, int* bins, int n, int mask) {
  extern __shared__ int mine[];
  for (int k = threadIdx.x; k <= mask; k += blockDim.x) mine[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i] & mask], 1);
  __syncthreads();
  for (int k = threadIdx.x; k <= mask; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}
template <class T>
__global__ void scattered(const int* where, T* to, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&to[where[i] & mask], T(1));
}
__global__ void shared_counter(int* out, int steps, int spread) {
  __shared__ int mine[1024];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < steps; ++i) atomicAdd(&mine[threadIdx.x % spread], i);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}
__global__ void shared_floats(float* out, int steps, int spread) {
  __shared__ float mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < steps; ++i) atomicAdd(&mine[threadIdx.x % spread], 0.5f);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}

inline void atomics(Cases& cases) {
  const Pool& p = cases.pool;
  cases.family = "atomic_counter";
  cases.add("int_65536", 256, 256, 0, one_counter<int>, p.counters, 1 << 16);
  cases.add("int_1048576", 4096, 256, 0, one_counter<int>, p.counters, 1 << 20);
  cases.add("float_65536", 256, 256, 0, one_counter<float>, (float*)p.c, 1 << 16);
  cases.add("double_65536", 256, 256, 0, one_counter<double>, (double*)p.c, 1 << 16);
  cases.add("long_65536", 256, 256, 0, one_counter<unsigned long long>, (unsigned long long*)p.c, 1 << 16);
  cases.add("by_warp_1048576", 4096, 256, 0, counter_by_warp, p.counters, 1 << 20);
  cases.add("returned_262144", 1024, 256, 0, counter_returned, p.counters, (int*)p.b, 1 << 18);
  cases.family = "histogram";
  cases.add("global_256", 1024, 256, 0, histogram, p.index, p.counters, 1 << 18, 255);
  cases.add("global_16", 1024, 256, 0, histogram, p.index, p.counters, 1 << 18, 15);
  cases.add("global_4096", 4096, 256, 0, histogram, p.index, p.counters, 1 << 20, 4095);
  cases.family = "histogram_shared";
  cases.add("256_by_132", 132, 256, 1024, histogram_shared, p.index, p.counters, 1 << 20, 255);
  cases.add("256_by_1056", 1056, 256, 1024, histogram_shared, p.index, p.counters, 1 << 20, 255);
  cases.add("4096_by_132", 132, 512, 16384, histogram_shared, p.index, p.counters, 1 << 20, 4095);
  cases.family = "atomic_scatter";
  cases.add("int_1048576", 4096, 256, 0, scattered<int>, p.index, p.counters, 1 << 20, (1 << 20) - 1);
  cases.add("float_1048576", 4096, 256, 0, scattered<float>, p.index, p.c, 1 << 20, (1 << 20) - 1);
  cases.add("float_in_8192", 1024, 256, 0, scattered<float>, p.index, p.c, 1 << 18, 8191);
  cases.family = "atomic_shared";
  cases.add("1_place", 132, 256, 0, shared_counter, p.counters, 50, 1);
  cases.add("32_places", 132, 256, 0, shared_counter, p.counters, 200, 32);
  cases.add("own_places", 132, 1024, 0, shared_counter, p.counters, 100, 1024);
  cases.add("floats_32", 132, 256, 0, shared_floats, p.b, 50, 32);
  cases.add("floats_own", 264, 256, 0, shared_floats, p.b, 100, 256);
}
