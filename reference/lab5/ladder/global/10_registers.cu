// Beyond the course: the sums stay in registers and go from lane to lane by shuffles. Nothing is written to
// the array, and one number a block to memory; only the warps of a block meet in shared memory.

#include "in_place.cuh"

template <class T>
__device__ T sum_of_warp(T sum) {
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, distance);
  return sum;
}

template <class T>
__global__ void sum_in_registers(const T* data, T* out, int n) {
  constexpr int kParts = 8;
  __shared__ T of_warps[32];
  const int tid = threadIdx.x, first = blockIdx.x * blockDim.x * kParts + tid;
  T part[kParts];
#pragma unroll
  for (int p = 0; p < kParts; ++p) {
    const int i = first + p * blockDim.x;
    part[p] = i < n ? data[i] : T(0);
  }
  T sum = 0;
#pragma unroll
  for (int p = 0; p < kParts; ++p) sum += part[p];
  sum = sum_of_warp(sum);
  if (tid % 32 == 0) of_warps[tid / 32] = sum;
  __syncthreads();
  if (tid < 32) {
    sum = sum_of_warp(tid < blockDim.x / 32 ? of_warps[tid] : T(0));
    if (tid == 0) out[blockIdx.x] = sum;
  }
}

struct Rung {
  static constexpr const char* name = "registers";
  static constexpr int unroll = 8;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_in_registers<<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
