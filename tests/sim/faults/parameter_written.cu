#include "faults.cuh"
struct Numbers { int v[8]; };
__global__ void changes(const __grid_constant__ Numbers n) {
  int* p = const_cast<int*>(n.v);
  asm volatile("" : "+l"(p));
  p[threadIdx.x] = 1;
}
int main() {
  changes<<<1, 4>>>(Numbers{});
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/parameter_written.cu:6: a kernel parameter is written; kernel changes(Numbers), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Kernel parameters are constant: copy this one into a local variable first.
// nvcc alone: clang 14 does not know __grid_constant__ and copies the parameter
