// A sum that begins with whatever lies in memory.
__global__ void add(float* sum, const float* in) {
  sum[threadIdx.x] += in[threadIdx.x];  // <-- initcheck
}

int main() {
  float *sum = nullptr, *in = nullptr;
  cudaMalloc(&sum, 32 * sizeof(float));
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
#ifdef RIGHT
  cudaMemset(sum, 0, 32 * sizeof(float));
#endif
  add<<<1, 32>>>(sum, in);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(in);
}
