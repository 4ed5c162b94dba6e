// A kernel reads on one stream what another writes on another, and nothing orders them. More programs stand
// in tests/programs/streams.
#include <cuda_runtime.h>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }
__global__ void add(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x] + 1; }

int main() {
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMalloc(&b, 32 * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  fill<<<1, 32, 0, first>>>(a);
  add<<<1, 32, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  return 0;
}
