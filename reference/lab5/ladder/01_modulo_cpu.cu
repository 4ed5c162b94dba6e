// kernel01: neighbours are added, then neighbours of the sums, by the threads whose number is a multiple of 2 s: the
// threads at work are spread over all warps, and a division by a variable takes dozens of instructions. The CPU adds the
// partial sums, after a copy.

#include "reduction.cuh"

template <class T>
__global__ void sum_neighbours(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  data[tid] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "kernel01";
  static constexpr bool finish_on_cpu = true;
  static int elements(int) { return ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_neighbours<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
