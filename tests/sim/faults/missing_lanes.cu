#include "faults.cuh"
__global__ void waits_for_lanes(int* out) {
  const int t = threadIdx.x;
  if (t < 8) {
    __syncwarp(0x0000FFFF);
    out[t] = 1;
  } else if (t < 16) {
    __syncthreads();
    out[t] = 2;
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  waits_for_lanes<<<1, 32>>>(out);
  return told();
}
// expect: cudaErrorLaunchTimeout
// stderr: grader: @/missing_lanes.cu:5: a warp-wide operation (shuffle, vote, __syncwarp or a product of matrices) waits for lanes of its mask that wait somewhere else, nobody can go on: lanes 0-7 of warp 0 at a warp-wide call (line 5), lanes 8-15 of warp 0 at __syncthreads() (line 8); kernel waits_for_lanes(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Every lane named in the mask must reach the same call.
