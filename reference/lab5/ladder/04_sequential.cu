// kernel04, reduce3: the upper half is added to the lower: neighbouring threads read neighbouring elements, no conflicts.

#include "reduction.cuh"

template <class T>
__global__ void sum_sequential(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  data[tid] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "kernel04";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_sequential<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
