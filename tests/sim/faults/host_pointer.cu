#include "faults.cuh"
__global__ void sum(const int* a, int* out) { *out = a[0] + a[1]; }
int main() {
  int* out;
  cudaMalloc(&out, 4);
  int on_host[2] = {1, 2};
  sum<<<1, 1>>>(on_host, out);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/host_pointer.cu:2: read of 4 bytes out of bounds: address # is not device memory: a host pointer, or an index far out of bounds, `a[0]`; kernel sum(int const*, int*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Copy the data to device memory with cudaMemcpy, and check the index: kernels here access memory of cudaMalloc and cudaMallocManaged, __device__ and __shared__ variables, and host memory that cudaHostAlloc maps with cudaHostAllocMapped.
