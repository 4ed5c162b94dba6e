#include "faults.cuh"
__global__ void four(const float* a, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(a + threadIdx.x);
  out[threadIdx.x] = v.x + v.w;
}
int main() {
  float *a, *out;
  cudaMalloc(&a, 1024);
  cudaMalloc(&out, 1024);
  cudaMemset(a, 0, 1024);
  four<<<1, 32>>>(a, out);
  return told();
}
// expect: cudaErrorMisalignedAddress
// stderr: grader: @/misaligned.cu:3: misaligned read of 16 bytes at `a[1]`; kernel four(float const*, float*), block (0, 0, 0), thread (1, 0, 0)
// stderr:   hint: An access of 16 bytes needs an address that is a multiple of 16: check casts to float2/float4/double and odd offsets.
