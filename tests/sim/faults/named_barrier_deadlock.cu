#include "faults.cuh"
__global__ void waits_for_nobody(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 96;" ::: "memory");
  else asm volatile("bar.sync 2, 96;" ::: "memory");
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  waits_for_nobody<<<1, 64>>>(out);
  return told();
}
// expect: cudaErrorLaunchTimeout
// stderr: grader: @/named_barrier_deadlock.cu:3: deadlock: all remaining threads of the block wait at a barrier that never completes: warp 0 at barrier 1 (line 3), warp 1 at barrier 2 (line 4); kernel waits_for_nobody(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Give a named barrier the number of threads that reach it.
