// kernel03, reduce2: the same additions by the threads with the lowest numbers, so that whole warps fall idle. Their
// elements are now 2 s apart: bank conflicts.

#include "reduction.cuh"

template <class T>
__global__ void sum_strided(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  data[tid] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * tid;
    if (index < blockDim.x) data[index] += data[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "kernel03";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_strided<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
