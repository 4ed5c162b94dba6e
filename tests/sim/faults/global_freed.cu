#include "faults.cuh"
__global__ void set(int* a) { a[threadIdx.x] = 1; }
int main() {
  int* a;
  cudaMalloc(&a, 128);
  cudaFree(a);
  set<<<1, 32>>>(a);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/global_freed.cu:2: write of 4 bytes out of bounds: address # is inside memory that was freed, `a[0]`; kernel set(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Call cudaFree after the last kernel that uses the memory.
