// nvcc alone: PTX of clang 14 does not say which call was inlined
#include "faults.cuh"
__device__ __forceinline__ void meet() { __syncthreads(); }
__global__ void two_calls(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    out[threadIdx.x] = s[0];
    meet();
    out[threadIdx.x] = s[63 - threadIdx.x];
  } else {
    out[threadIdx.x] = s[1];
    meet();
    out[threadIdx.x] = s[threadIdx.x - 1] * 2;
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  two_calls<<<1, 64>>>(out);
  return told();
}
// expect: cudaErrorLaunchFailure
// stderr: grader: @/divided_calls.cu:3: warps of the block wait at different barriers: warp 1 at this __syncthreads(), warp 0 at another one of this line, or in another call of it; kernel two_calls(int*), block (0, 0, 0), thread (32, 0, 0)
// stderr:   hint: Let every thread of the block reach the same __syncthreads(): move it out of the if.
