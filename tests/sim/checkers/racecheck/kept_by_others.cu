// The index changes between the load and the branch: lane 0 of each warp keeps what thread 0 may still write.

__global__ void firsts(float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t == 0) s[0] += s[1];
  const float first = s[0];
  __syncthreads();
  t %= 32;
  if (t == 0) out[threadIdx.x / 32] = first;
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(float));
  firsts<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
