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
// stderr: grader: @/grid_sync_alone.cu:6: grid.sync() in a kernel that was launched by <<<...>>>: its blocks need not all run at a time; kernel meets(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Launch it by cudaLaunchCooperativeKernel(), with no more blocks than cudaOccupancyMaxActiveBlocksPerMultiprocessor() says fit; or end the kernel where all blocks must meet, and launch a second one.
