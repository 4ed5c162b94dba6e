#include "faults.cuh"
__global__ void doubled(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2 * a[i];
}
int main() {
  float* a;
  cudaMalloc(&a, 100 * sizeof(float));
  cudaMemset(a, 0, 100 * sizeof(float));
  doubled<<<4, 32>>>(a, 100);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/global_past_end.cu:4: read of `a[100]` out of bounds: `a` has 100 elements; kernel doubled(float*, int), block (3, 0, 0), thread (4, 0, 0)
// stderr:   hint: Compare the index with the size of the array: threads past the end need an if, and loops must stop before it; where they do, the index may use the wrong dimension as the length of a row.
