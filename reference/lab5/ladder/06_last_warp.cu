// kernel06, reduce5: two loads, and no barriers once a single warp is left.

#include "reduction.cuh"

template <class T>
__global__ void sum_unrolled(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  T sum = i < n ? in[i] : T(0);
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  data[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid < 32) ladder::sum_last_warp<T>(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "kernel06";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return 2 * ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_unrolled<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
