// unroll_warps8: eight parts, and no barriers once a single warp is left.

#include "in_place.cuh"

template <class T>
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
  for (int s = blockDim.x / 2; s > 32; s /= 2) {
    if (tid < s) part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid < 32) ladder::sum_last_warp<T>(part, tid);
  if (tid == 0) out[blockIdx.x] = part[0];
}

struct Rung {
  static constexpr const char* name = "unroll_warps8";
  static constexpr int unroll = 8;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_unrolled<<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
