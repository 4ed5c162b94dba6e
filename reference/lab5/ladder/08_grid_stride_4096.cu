// kernel07: at most 4096 blocks, each of which walks over the array with the stride of the grid: the tree is built once for
// many elements.

#include "reduction.cuh"

template <unsigned kBlock, class T>
__global__ void sum_grid_stride(const T* in, T* out, int n) {
  __shared__ T data[kBlock];
  const unsigned tid = threadIdx.x, stride = kBlock * 2 * gridDim.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * kBlock * 2 + tid; i < n; i += stride) {
    sum += in[i];
    if (i + kBlock < n) sum += in[i + kBlock];
  }
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
  static constexpr const char* name = "kernel07";
  static constexpr bool finish_on_cpu = false;
  static int elements(int n) { return n > 2 * ladder::kThreads * 4096 ? (n + 4096 - 1) / 4096 : 2 * ladder::kThreads; }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_grid_stride<ladder::kThreads><<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
