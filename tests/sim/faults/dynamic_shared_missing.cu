#include "faults.cuh"
extern __shared__ float work[];
__global__ void staged(float* a) {
  work[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = work[blockDim.x - 1 - threadIdx.x];
}
int main() {
  float* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  staged<<<1, 64>>>(a);  // the third launch argument is missing
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/dynamic_shared_missing.cu:4: write of element 0 of `work` (shared memory) out of bounds: `work` has 0 elements; kernel staged(float*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Check the index into the __shared__ array, or the shared-memory size given at the launch.
