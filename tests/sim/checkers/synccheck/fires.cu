// Barriers that some threads never reach, and masks that are wrong.
__global__ void early_return(int* out, int n) {
  __shared__ int tile[64];
  if (threadIdx.x >= n) return;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

__global__ void not_in_mask(int* out) {
  int value = threadIdx.x;
  value += __shfl_down_sync(0xffff, value, 1);
  out[threadIdx.x] = value;
}

__global__ void names_the_gone(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x >= 16) {
    out[threadIdx.x] = value;
    return;
  }
  value += __shfl_down_sync(0xffffffff, value, 1);
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  early_return<<<1, 64>>>(out, 40);
  not_in_mask<<<1, 32>>>(out);
  names_the_gone<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
