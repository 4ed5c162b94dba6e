// interleaved: the upper half is added to the lower: a warp reads and writes whole sectors.

#include "in_place.cuh"

template <class T>
__global__ void sum_interleaved(T* data, T* out, int n) {
  const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  T* const part = data + blockIdx.x * blockDim.x;
  if (!ladder::kCorrected && i >= n) return;  // the others wait at the barriers below without them
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s && (!ladder::kCorrected || i + s < n)) part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

struct Rung {
  static constexpr const char* name = "interleaved";
  static constexpr int unroll = 1;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_interleaved<<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
