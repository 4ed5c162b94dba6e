#include "faults.cuh"
__global__ void stops(int n) {
  if (threadIdx.x + blockIdx.x * blockDim.x == n) __trap();
}
int main() {
  stops<<<3, dim3(4, 4)>>>(9);
  return told();
}
// expect: cudaErrorLaunchFailure
// stderr: grader: @/trap.cu:3: the kernel executed trap; kernel stops(int), block (2, 0, 0), thread (1, 0, 0)
// stderr:   hint: Check why the kernel reaches __trap() or a branch that should be impossible.
