// A launch that asks for more shared memory than a block may have; its error is ignored.
#include "good.cuh"

extern __shared__ float tile[];
__global__ void kernel(const float* a, float* out, int rows, int cols) {
  tile[threadIdx.x] = a[threadIdx.x % cols];
  __syncthreads();
  if (threadIdx.x < rows) out[threadIdx.x] = tile[threadIdx.x];
}
ENTRY(shared) {
  if (rows > 0) kernel<<<1, 256, 200 * 1024>>>(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
