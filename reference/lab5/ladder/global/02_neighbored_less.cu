// neighbored_less: the same additions by the threads with the lowest numbers, so that whole warps fall idle.

#include "in_place.cuh"

template <class T>
__global__ void sum_neighbored_less(T* data, T* out, int n) {
  const int tid = threadIdx.x, first = blockIdx.x * blockDim.x;
  T* const part = data + first;
  if (!ladder::kCorrected && first + tid >= n) return;  // the others wait at the barriers below without them
  for (int s = 1; s < blockDim.x; s *= 2) {
    const int index = 2 * s * tid;
    if (index < blockDim.x && (!ladder::kCorrected || first + index + s < n)) part[index] += part[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

struct Rung {
  static constexpr const char* name = "neighbored_less";
  static constexpr int unroll = 1;
  template <class T>
  static void pass(T* data, T* out, int n, int blocks) {
    sum_neighbored_less<<<blocks, ladder::kThreads>>>(data, out, n);
  }
};

LADDER_MAIN(ladder::reduction_in_place<Rung>)
