// neighbored: in each step the threads whose number is a multiple of 2 s add their neighbour at distance s.

#include "in_place.cuh"

template <class T>
__global__ void sum_neighbored(T* data, T* out, int n) {
  const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  T* const part = data + blockIdx.x * blockDim.x;
  if (!ladder::kCorrected && i >= n) return;  // the others wait at the barriers below without them
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0 && (!ladder::kCorrected || i + s < n)) part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

struct Rung {
  static constexpr const char* name = "neighbored";
  static constexpr int unroll = 1;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_neighbored<<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
