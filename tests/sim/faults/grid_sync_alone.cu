// grid.sync() where nobody promised that all blocks run at a time.
#include <cooperative_groups.h>

#include "faults.cuh"
__global__ void meets(int* out) {
  cooperative_groups::this_grid().sync();
  out[0] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  meets<<<2, 32>>>(out);
  return told();
}
// expect: cudaErrorLaunchFailure
// stderr: grader: @/grid_sync_alone.cu:6: grid.sync() needs a cooperative launch, but <<<...>>> launched the kernel: its blocks need not all run at a time; kernel meets(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Launch it with cudaLaunchCooperativeKernel() and no more blocks than cudaOccupancyMaxActiveBlocksPerMultiprocessor() allows; or end the kernel where all blocks must meet, and launch a second one.
