// Two stages; warps with shuffles and shared partial sums; the last step on the CPU.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
// loses: padded structure.coalesced
#include "contract.cuh"

#include <vector>

constexpr int kBlocks = 64, kThreads = 256;

__global__ void partial(const float* x, const float* y, float* parts, int n) {
  float sum = 0;
  const int grid = kBlocks * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += grid) sum += x[i] * y[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  __shared__ float warps[kThreads / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kThreads / 32; ++w) sum += warps[w];
    parts[blockIdx.x] = sum;
  }
}

__global__ void last(const float* parts, float* out) {
  float sum = 0;
  for (int b = 0; b < kBlocks; ++b) sum += parts[b];
  *out = sum;
}

void dot_global(const float* x, const float* y, float* out, int n) {
  float* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof *parts);
  partial<<<kBlocks, kThreads>>>(x, y, parts, n);
  last<<<1, 1>>>(parts, out);
  cudaFree(parts);
}

__device__ float scratch[kBlocks];

void dot_shared(const float* x, const float* y, float* out, int n) {
  float* parts = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&parts), scratch);
  partial<<<kBlocks, kThreads>>>(x, y, parts, n);
  last<<<1, 1>>>(parts, out);
}

void dot_padded(const float* x, const float* y, float* out, int n) {
  float* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof *parts);
  partial<<<kBlocks, kThreads>>>(x, y, parts, n);
  std::vector<float> host(kBlocks);
  cudaMemcpy(host.data(), parts, kBlocks * sizeof *parts, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const float part : host) sum += part;
  const float result = static_cast<float>(sum);
  cudaMemcpy(out, &result, sizeof result, cudaMemcpyHostToDevice);
  cudaFree(parts);
}
