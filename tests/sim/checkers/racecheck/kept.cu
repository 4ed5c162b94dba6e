// The thread that keeps the value is not the one that wrote it: a race, whatever the others throw away.

__global__ void sums(const float* in, float* out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int start = 0; start < 1024; start += 256) {
    __syncthreads();
    s[t] = in[start + t];
    for (int step = 128; step > 0; step /= 2) {
      __syncthreads();
      if (t < step) s[t] += s[t + step];
    }
    if (t == 33) sum += s[0];
  }
  if (t == 33) *out = sum;
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
  sums<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
