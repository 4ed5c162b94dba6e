#include "faults.cuh"
__global__ void picked(const int* index, int* out) {
  int a[4] = {1, 2, 3, 4};
  a[index[0] % 4] = 7;
  out[threadIdx.x] = a[index[1 + threadIdx.x]];
}
int main() {
  int *index, *out;
  const int host[4] = {1, 2, 4000, 3};
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  picked<<<1, 3>>>(index, out);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/local_out_of_bounds.cu:5: read of 4 bytes out of bounds of the thread's local memory at offset 16000: a thread has 16 bytes; kernel picked(int const*, int*), block (0, 0, 0), thread (1, 0, 0)
// stderr:   hint: Check the index of the array inside the kernel: it is out of bounds.
