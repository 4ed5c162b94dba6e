#include "faults.cuh"
__global__ void textured(float* out) {
  int width;
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(0ull));
  out[0] = width;
}
int main() {
  textured<<<1, 1>>>(nullptr);
  return told(cudaGetLastError());
}
// expect: cudaErrorInvalidPtx
// stderr: cuda-labs: the GPU code cannot be loaded: <fat binary>:30:1: the simulator does not support 'txq' in `txq.width.b32 %r1, [%rd1]` (unsupported.cu:4)
// stderr:   hint: pass the sizes as kernel parameters instead of asking a texture
// stderr: grader: @/unsupported.cu:8: a kernel was not launched: cudaErrorInvalidPtx, <fat binary>:30:1: the simulator does not support 'txq' in `txq.width.b32 %r1, [%rd1]` (unsupported.cu:4)
// stderr:   hint: pass the sizes as kernel parameters instead of asking a texture
// exit: 0
// nvcc alone: the registers, and the place in the PTX
