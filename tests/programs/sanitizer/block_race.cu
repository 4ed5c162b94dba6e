// A warp reads what another one has written, and nobody waits.
__global__ void turn(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
#ifdef RIGHT
  __syncthreads();
#endif
  out[threadIdx.x] = tile[127 - threadIdx.x];  // <-- racecheck
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  turn<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
