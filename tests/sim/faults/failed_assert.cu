#include <cassert>
#include "faults.cuh"
__global__ void positive(const int* a) { assert(a[threadIdx.x] > 0 && "all are positive"); }
int main() {
  const int host[3] = {5, 0, 1};
  int* a;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  positive<<<1, 3>>>(a);
  return told();
}
// expect: cudaErrorAssert
// stderr: grader: @/failed_assert.cu:3: assertion `a[threadIdx.x] > 0 && "all are positive"` failed (line 3, void positive(const int *)); kernel positive(int const*), block (0, 0, 0), thread (1, 0, 0)
// stderr:   hint: Check why the condition in assert() does not hold for this thread.
