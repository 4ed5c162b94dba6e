// reduce6: the block size is a template parameter, so the whole loop is unrolled and its tests are gone.

#include "reduction.cuh"

template <unsigned kBlock, class T>
__global__ void sum_unrolled(const T* in, T* out, int n) {
  __shared__ T data[kBlock];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  T sum = i < n ? in[i] : T(0);
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  data[tid] = sum;
  __syncthreads();
  if (kBlock >= 1024 && tid < 512) data[tid] += data[tid + 512];
  if (kBlock >= 1024) __syncthreads();
  if (kBlock >= 512 && tid < 256) data[tid] += data[tid + 256];
  if (kBlock >= 512) __syncthreads();
  if (kBlock >= 256 && tid < 128) data[tid] += data[tid + 128];
  if (kBlock >= 256) __syncthreads();
  if (kBlock >= 128 && tid < 64) data[tid] += data[tid + 64];
  if (kBlock >= 128) __syncthreads();
  if (tid < 32) ladder::sum_last_warp<T>(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

struct Rung {
  static constexpr const char* name = "reduce6";
  static constexpr bool finish_on_cpu = false;
  static int elements(int) { return 2 * ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_unrolled<ladder::kThreads><<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
