// nvcc lets every lane load what only thread 0 keeps. A lane that throws the value away did not read it.

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
    if (t == 0) sum += s[0];
  }
  if (t == 0) *out = sum;
}

__device__ float sum_of(float* s, float mine) {
  const int t = threadIdx.x;
  s[t] = mine;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  return s[0];
}

// The index changes after the value has been kept or thrown away.
__global__ void functions(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  const float first = sum_of(s, in[t]);
  __syncthreads();
  if (t == 0) out[1] = first;
  float more = 0;
  for (; t < 1024; t += 256) more += in[t];
  __syncthreads();
  const float second = sum_of(s, more);
  if (threadIdx.x == 0) out[2] = second;
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 3 * sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
  sums<<<1, 256>>>(in, out);
  functions<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
