// The last warp of a reduction, unrolled as it was taught before lanes could run apart.
#include <cstdio>

constexpr int kThreads = 128;

__device__ void reduce_last_warp(volatile int* sum, int t) {
  sum[t] += sum[t + 32];
  sum[t] += sum[t + 16];
  sum[t] += sum[t + 8];
  sum[t] += sum[t + 4];
  sum[t] += sum[t + 2];
  sum[t] += sum[t + 1];
}

__global__ void reduce(const int* in, int* out) {
  __shared__ int sum[kThreads];
  const int t = threadIdx.x;
  sum[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  for (int half = kThreads / 2; half > 32; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();
  }
  if (t < 32) reduce_last_warp(sum, t);
  if (t == 0) out[blockIdx.x] = sum[0];
}

int main() {
  constexpr int kBlocks = 4;
  int *in = nullptr, *out = nullptr, host[kBlocks] = {};
  cudaMalloc(&in, kBlocks * kThreads * sizeof(int));
  cudaMalloc(&out, kBlocks * sizeof(int));
  cudaMemset(in, 0, kBlocks * kThreads * sizeof(int));
  reduce<<<kBlocks, kThreads>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(out);
}
