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
// stderr: grader: @/missing_lanes.cu:5: deadlock at a warp-wide operation (shuffle, vote, __syncwarp or matrix product): lanes of its mask wait elsewhere: lanes 0-7 of warp 0 at a warp-wide call (line 5), lanes 8-15 of warp 0 at __syncthreads() (line 8); kernel waits_for_lanes(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Let every lane named in the mask reach the same call.
