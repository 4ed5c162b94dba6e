#include "faults.cuh"
__global__ void frees() {
  int* p = new int[4];
  p[0] = 1;
  delete[] p;
  delete[] p;
}
int main() {
  frees<<<1, 1>>>();
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/freed_twice.cu:6: free inside a kernel: double free: the allocation at # was already freed; kernel frees(), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Free what malloc or new returned inside a kernel, and only once.
