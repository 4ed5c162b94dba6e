#include "faults.cuh"
__global__ void reversed(int* out, int n) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[n - threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  reversed<<<1, 32>>>(out, 32);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/shared_past_end.cu:6: read of element 32 of `tile` (shared memory) out of bounds: `tile` has 32 elements; kernel reversed(int*, int), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Check the index into the __shared__ array, or the shared-memory size given at the launch.
