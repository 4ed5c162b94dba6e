// What an asynchronous copy brings is not there before its thread has waited for it.
#include <cuda_pipeline.h>

constexpr int kThreads = 64;

__global__ void never_waits(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

/// The second of two groups is still on its way.
__global__ void waits_for_too_few(const int* in, int* out) {
  __shared__ int tile[2 * kThreads];
  for (int half = 0; half < 2; ++half) {
    __pipeline_memcpy_async(&tile[half * kThreads + threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1] + tile[kThreads + (threadIdx.x ^ 1)];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, kThreads * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(int));
  cudaMemset(in, 0, kThreads * sizeof(int));
  never_waits<<<1, kThreads>>>(in, out);
  waits_for_too_few<<<1, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
