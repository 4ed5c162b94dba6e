#include "faults.cuh"
__global__ void two_barriers(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    out[threadIdx.x] = s[0];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
  } else {
    out[threadIdx.x] = s[1];
    __syncthreads();
    out[threadIdx.x] = s[62 - threadIdx.x] * 2;
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  two_barriers<<<1, 64>>>(out);
  return told();
}
// expect: cudaErrorLaunchFailure
// stderr: grader: @/divided_block.cu:11: warps of the block wait at different barriers: warp 1 at this __syncthreads(), warp 0 at the one of line 7; kernel two_barriers(int*), block (0, 0, 0), thread (32, 0, 0)
// stderr:   hint: Let every thread of the block reach the same __syncthreads(): move it out of the if.
