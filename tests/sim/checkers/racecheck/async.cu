// Each thread waits for its own copies: others need a barrier behind that, and a buffer is written from when a copy
// into it begins.
#include <cuda_pipeline.h>

constexpr int kThreads = 64;

__global__ void waits_behind_the_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void begins_while_others_read(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] += tile[kThreads - 1 - threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, kThreads * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(int));
  cudaMemset(in, 0, kThreads * sizeof(int));
  waits_behind_the_barrier<<<1, kThreads>>>(in, out);
  begins_while_others_read<<<1, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
