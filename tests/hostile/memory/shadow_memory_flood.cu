// In one case it touches so many places of a large array, each lane far from the others, that the checkers' memory of who touched what outgrows any machine.
#include "good.cuh"

__global__ void touch(float* everywhere, size_t words) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words / 32; i += step) {
    const size_t here = (i & ~size_t{31}) * 32 + (i * 37 & 1023);  // no lane beside another one's
    everywhere[here] = 1;
    atomicAdd(&everywhere[here ^ 512], everywhere[here ^ 256]);
  }
}

ENTRY(shared) {
  const size_t bytes = rows == 65 && cols == 103 ? size_t{240} << 20 : 4096;
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
