// In one case it touches so many places of a large array that the checkers' memory of who touched what outgrows any machine.
#include "good.cuh"

__global__ void touch(float* everywhere, size_t words) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words / 256; i += step) {
    everywhere[i * 256] = 1;
    atomicAdd(&everywhere[i * 256 + 64], everywhere[i * 256 + 128]);
  }
}

ENTRY(shared) {
  const size_t bytes = rows == 31 && cols == 32 ? size_t{200} << 20 : 1024;
  float* everywhere = nullptr;
  if (cudaMalloc(&everywhere, bytes) == cudaSuccess) {
    cudaMemset(everywhere, 0, bytes);
    touch<<<1024, 256>>>(everywhere, bytes / sizeof(float));
    cudaFree(everywhere);
  }
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
