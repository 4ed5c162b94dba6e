// Lanes of one warp hand values on through shared memory.
__global__ void neighbours(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
#ifdef RIGHT
  __syncwarp();
#endif
  out[t] = tile[(t + 1) % 32];  // <-- racecheck
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  neighbours<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
