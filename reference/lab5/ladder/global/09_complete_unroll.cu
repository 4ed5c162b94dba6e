// complete_unroll: the block size is a template parameter, so the tests of it are gone.

#include "in_place.cuh"

template <unsigned kBlock, class T>
__global__ void sum_unrolled(T* data, T* out, int n) {
  constexpr int kParts = 8;
  const int tid = threadIdx.x, i = blockIdx.x * blockDim.x * kParts + tid;
  T* const part = data + blockIdx.x * blockDim.x * kParts;
  if (i + (kParts - 1) * blockDim.x < n) {
    T sum = 0;
#pragma unroll
    for (int p = 0; p < kParts; ++p) sum += data[i + p * blockDim.x];
    data[i] = sum;
  }
  __syncthreads();
  if (kBlock >= 1024 && tid < 512) part[tid] += part[tid + 512];
  __syncthreads();
  if (kBlock >= 512 && tid < 256) part[tid] += part[tid + 256];
  __syncthreads();
  if (kBlock >= 256 && tid < 128) part[tid] += part[tid + 128];
  __syncthreads();
  if (kBlock >= 128 && tid < 64) part[tid] += part[tid + 64];
  __syncthreads();
  if (tid < 32) ladder::sum_last_warp<T>(part, tid);
  if (tid == 0) out[blockIdx.x] = part[0];
}

struct Rung {
  static constexpr const char* name = "complete_unroll";
  static constexpr int unroll = 8;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_unrolled<ladder::kThreads><<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
