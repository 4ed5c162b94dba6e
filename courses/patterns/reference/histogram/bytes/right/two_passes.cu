// `shared` writes each block's counters to global memory, and a second kernel adds them up: no atomic additions
// there. `global` counts runs of equal bytes of a thread before it adds them.
#include "contract.cuh"

constexpr int each = 16;

__global__ void runs(const unsigned char* x, int* counts, int n) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  int value = -1, length = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
    if (x[i] != value) {
      if (length > 0) atomicAdd(counts + value, length);
      value = x[i];
      length = 0;
    }
    ++length;
  }
  if (length > 0) atomicAdd(counts + value, length);
}

void histogram_global(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  if (n > 0) runs<<<(n + 128 * each - 1) / (128 * each), 128>>>(x, counts, n);
}

constexpr int many = 128;  // blocks at most

__global__ void partial(const unsigned char* x, int* partials, int n) {
  __shared__ unsigned own[256];
  if (threadIdx.x < 256) own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n);
       i += gridDim.x * blockDim.x)
    atomicInc(own + x[i], 0xffffffff);
  __syncthreads();
  if (threadIdx.x < 256) partials[blockIdx.x * 256 + threadIdx.x] = static_cast<int>(own[threadIdx.x]);
}

__global__ void add_up(const int* partials, int* counts, int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) sum += partials[b * 256 + static_cast<int>(threadIdx.x)];
  counts[threadIdx.x] = sum;
}

void histogram_shared(const unsigned char* x, int* counts, int n) {
  int* partials = nullptr;
  const int blocks = min(n / 4096 + 1, many);
  cudaMalloc(&partials, static_cast<size_t>(blocks) * 256 * sizeof(int));
  partial<<<blocks, 512>>>(x, partials, n);
  add_up<<<1, 256>>>(partials, counts, blocks);
  cudaFree(partials);
}
