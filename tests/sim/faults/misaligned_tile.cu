// A tile that is padded for columns cannot be read four elements at a time.
#include "faults.cuh"
__global__ void reads_fours(float* out, int pitch) {
  __shared__ float tile[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = i;
  __syncthreads();
  const float4 four = *reinterpret_cast<float4*>(&tile[threadIdx.x * pitch]);
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}
int main() {
  float* out;
  cudaMalloc(&out, 128);
  reads_fours<<<1, 32>>>(out, 32);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  reads_fours<<<1, 32>>>(out, 33);
  return told();
}
// expect: cudaErrorMisalignedAddress
// stderr: grader: @/misaligned_tile.cu:7: misaligned read of 16 bytes at shared address 0x84; kernel reads_fours(float*, int), block (0, 0, 0), thread (1, 0, 0)
// stderr:   hint: An access of 16 bytes needs an address that is a multiple of 16: check casts to float2/float4/double and odd offsets.
