#include "faults.cuh"
__constant__ float table[20000];
__global__ void reads(float* out) { out[threadIdx.x] = table[threadIdx.x]; }
int main() {
  float* out;
  cudaMalloc(&out, 128);
  reads<<<1, 32>>>(out);
  return told(cudaGetLastError());
}
// expect: cudaErrorInvalidPtx
// stderr: cuda-labs: the GPU code cannot be loaded: the file has 80000 bytes of __constant__ variables, the most is 65536 together
// stderr:   hint: Keep large arrays in global memory, and in constant memory what all threads of a warp read at one time.
// stderr: grader: @/constant_too_large.cu:7: a kernel was not launched: cudaErrorInvalidPtx, the file has 80000 bytes of __constant__ variables, the most is 65536 together
// stderr:   hint: Keep large arrays in global memory, and in constant memory what all threads of a warp read at one time.
// exit: 0
