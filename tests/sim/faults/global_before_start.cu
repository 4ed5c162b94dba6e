#include "faults.cuh"
__global__ void difference(const double* a, double* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = a[i] - a[i - 1];
}
int main() {
  double *a, *out;
  cudaMalloc(&a, 64 * sizeof(double));
  cudaMalloc(&out, 64 * sizeof(double));
  cudaMemset(a, 0, 64 * sizeof(double));
  difference<<<1, 64>>>(a, out, 64);
  return told();
}
// expect: cudaErrorIllegalAddress
// stderr: grader: @/global_before_start.cu:4: read of `a[-1]` out of bounds: the index is negative; kernel difference(double const*, double*, int), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Compare the index with the size of the array: threads past the end need an if, and loops must stop before it; where they do, the index may use the wrong dimension as the length of a row.
