// All threads reach every barrier, and masks name those that call.
__global__ void guarded(int* out, int n) {
  __shared__ int tile[64];
  if (threadIdx.x < n) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

__global__ void masks(int* out) {
  int value = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffff, value, d);
  const unsigned upper = __ballot_sync(0xffffffff, threadIdx.x >= 16);
  if (threadIdx.x >= 16) value += __shfl_sync(upper, value, 16);
  const unsigned half = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  value += __shfl_xor_sync(half, value, 1);
  __syncwarp();
  out[threadIdx.x] = value;
}

__global__ void short_warp(int* out) {
  int value = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
  __syncthreads();
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  guarded<<<1, 64>>>(out, 40);
  masks<<<1, 32>>>(out);
  short_warp<<<1, 40>>>(out);
  return cudaDeviceSynchronize();
}
