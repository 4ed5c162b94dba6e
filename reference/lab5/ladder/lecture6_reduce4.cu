// reduce4 of lecture 6: sequential addressing with the last warp unrolled, still one load a thread.

#include "reduction.cuh"

template <class T>
__global__ void sum_unrolled(const T* in, T* out, int n) {
  __shared__ T data[ladder::kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  data[tid] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid < 32) ladder::sum_last_warp<T>(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "lecture6-reduce4";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_unrolled<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
