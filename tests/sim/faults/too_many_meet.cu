// More blocks wait for each other than a card holds at a time: those that come later never begin.
#include "faults.cuh"
__device__ unsigned arrived;
__global__ void all_meet() {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {}
  }
}
int main() {
  all_meet<<<108 * 2 + 4, 1024>>>();
  return told();
}
// expect: cudaErrorLaunchTimeout
// stderr: grader: @/too_many_meet.cu:7: deadlock: the 216 resident blocks all wait for others, and 4 have not begun: warp 0 in a loop (line 7); kernel all_meet(), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Launch no more blocks than fit at a time (cudaOccupancyMaxActiveBlocksPerMultiprocessor() returns how many a multiprocessor holds), or wait only for blocks with lower numbers.
