__global__ void ladder(float* out) {
  __shared__ float tile[1024];
  const int stride = 1 << (blockIdx.x % 4);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  if (threadIdx.x % 64 >= 32) out[threadIdx.x] = tile[(threadIdx.x % 32) * stride];
}
