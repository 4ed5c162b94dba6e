#include "faults.cuh"
__device__ int locks[2];
__global__ void takes_both() {
  const int first = threadIdx.x / 32, second = 1 - first;
  const bool leads = threadIdx.x % 32 == 0;
  if (leads) {
    while (atomicCAS(&locks[first], 0, 1) != 0) {
    }
  }
  __syncthreads();
  if (leads) {
    while (atomicCAS(&locks[second], 0, 1) != 0) {
    }
    atomicExch(&locks[second], 0);
    atomicExch(&locks[first], 0);
  }
}
int main() {
  takes_both<<<1, 64>>>();
  return told();
}
// expect: cudaErrorLaunchTimeout
// stderr: grader: @/locks_in_two_orders.cu:12: the kernel never ends, no thread makes progress: warps 0, 1 in a loop (line 12); kernel takes_both(), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Check the condition and the step of the loop. If it waits for another thread, that thread has finished or waits itself, so no thread can write the awaited value.
