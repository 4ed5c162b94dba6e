#include "faults.cuh"
__device__ int done;
__global__ void waits_for_more(int* out) {
  if (threadIdx.x == 0) atomicAdd(&done, 1);
  while (done <= gridDim.x) {  // however late a block comes: none may find that all others were there
  }
  out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 4 * 4);
  waits_for_more<<<4, 32>>>(out);
  return told();
}
// expect: cudaErrorLaunchTimeout
// nvcc alone: clang leaves a loop out that does nothing
// stderr: grader: @/plain_flag.cu:5: the kernel never ends, no thread makes progress: warp 0 in a loop (line 5); 3 other blocks wait like this; kernel waits_for_more(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Check the condition and the step of the loop. If it waits for another thread, read the variable with volatile or an atomic operation: a plain variable is loaded once, before the loop.
