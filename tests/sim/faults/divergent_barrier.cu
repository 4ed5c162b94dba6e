#include "faults.cuh"
__global__ void half_of_them(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
  } else {
    out[threadIdx.x] = clock() > 0;
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  half_of_them<<<1, 32>>>(out);
  return told();
}
// expect: cudaErrorLaunchFailure
// stderr: grader: @/divergent_barrier.cu:6: __syncthreads() inside a divergent branch: 16 threads of the warp wait here, 16 others finished without reaching this barrier; kernel half_of_them(int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Move __syncthreads() out of the if, so that every thread of the block reaches it.
