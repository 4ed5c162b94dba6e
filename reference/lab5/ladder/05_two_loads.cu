// kernel05, reduce4: every thread adds two elements while it loads: half of the threads would have been idle from the start.

#include "reduction.cuh"

template <class T>
__global__ void sum_two_loads(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  T sum = i < n ? in[i] : T(0);
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  data[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "kernel05";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return 2 * ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_two_loads<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
