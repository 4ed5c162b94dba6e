#include "faults.cuh"
__global__ void waits_for_a_flag(volatile int* flag, int* out) {
  if (blockIdx.x > 0) {
    while (*flag == 0) {
    }
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}
int main() {
  int *flag, *out;
  cudaMalloc(&flag, 4);
  cudaMalloc(&out, 400 * 4);
  cudaMemset(flag, 0, 4);
  waits_for_a_flag<<<400, 64>>>(flag, out);
  return told();
}
// expect: cudaErrorLaunchTimeout
// stderr: grader: @/flag_never_set.cu:4: the kernel never ends, no thread makes progress: warps 0, 1 in a loop (line 4); 398 other blocks wait like this; kernel waits_for_a_flag(int volatile*, int*), block (1, 0, 0), thread (0, 0, 0)
// stderr:   hint: Check the condition and the step of the loop. If it waits for another thread, that thread has finished or waits itself, so no thread can write the awaited value.
