#include "faults.cuh"
__global__ void textured(float* out) {
  float4 v;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(0ull), "f"(0.5f), "f"(0.5f));
  out[0] = v.x;
}
int main() {
  textured<<<1, 1>>>(nullptr);
  return told(cudaGetLastError());
}
// expect: cudaErrorInvalidPtx
// stderr: cuda-labs: the GPU code cannot be loaded: <fat binary>:30:1: the simulator has no 'tex' in `tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f6, %f6}]` (unsupported.cu:5)
// stderr:   hint: read the data with an ordinary load from global memory instead of a texture
// stderr: grader: a kernel was not launched: cudaErrorInvalidPtx, <fat binary>:30:1: the simulator has no 'tex' in `tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f6, %f6}]` (unsupported.cu:5)   hint: read the data with an ordinary load from global memory instead of a texture
// exit: 0
// nvcc alone: the registers, and the place in the PTX
