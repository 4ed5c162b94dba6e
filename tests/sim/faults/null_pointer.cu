#include "faults.cuh"
__global__ void set(int* a) {
  if (threadIdx.x == 7) a[3] = 1;
}
int main() {
  set<<<2, 32>>>(nullptr);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/null_pointer.cu:3: write of 4 bytes out of bounds: address 0xc is a null pointer, `a[3]`; kernel set(int*), block (0, 0, 0), thread (7, 0, 0)
// stderr:   hint: Set the pointer before the launch, and check the result of its cudaMalloc.
