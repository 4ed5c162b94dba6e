#include "faults.cuh"
__device__ int bins[10];
__global__ void count(const int* a) { atomicAdd(&bins[a[threadIdx.x]], 1); }
int main() {
  int* a;
  const int host[4] = {1, 9, 10, 3};
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  count<<<1, 4>>>(a);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/device_variable.cu:3: atomic operation of element 10 of `bins` out of bounds: `bins` has 10 elements; kernel count(int const*), block (0, 0, 0), thread (2, 0, 0)
// stderr:   hint: Compare the index with the size of the array: threads past the end need an if, and loops must stop before it; where they do, the index may use the wrong dimension as the length of a row.
