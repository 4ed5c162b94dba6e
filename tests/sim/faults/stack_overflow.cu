#include "faults.cuh"
__device__ __noinline__ int endless(int n, volatile int* p) { return *p == n ? 0 : 1 + endless(n + 1, p) * 2; }
__global__ void deep(int* p) { p[1] = endless(1, p); }
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  deep<<<1, 1>>>(p);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/stack_overflow.cu:2: stack overflow: 64 nested calls need more than the 1024 bytes of cudaLimitStackSize; kernel deep(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Limit the depth of the recursion, make it a loop, or give each thread more stack: cudaDeviceSetLimit(cudaLimitStackSize, bytes).
