// Half of a block waits for the other half.
__global__ void halves(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
#ifdef RIGHT
  __syncthreads();
#endif
  if (threadIdx.x < 32 + 16) {
#ifndef RIGHT
    __syncthreads();  // <-- synccheck
#endif
    out[threadIdx.x] = tile[63 - threadIdx.x];
  }
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  halves<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
