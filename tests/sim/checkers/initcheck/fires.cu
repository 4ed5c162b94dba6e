// Reads of global and shared memory that nobody has written.
__global__ void sum(const int* in, int* out, int n) {
  int total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) total += in[i];
  out[threadIdx.x] = total;
}

__global__ void halo(int* out) {
  __shared__ int tile[66];
  tile[threadIdx.x + 1] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}

__global__ void count(int* total) { atomicAdd(total, 1); }

__global__ void heap(int* out) {
  volatile int* own = static_cast<int*>(malloc(4 * sizeof(int)));
  own[threadIdx.x] = 1;
  out[threadIdx.x] = own[0] + own[3];
  free(const_cast<int*>(own));
}

int main() {
  int *in = nullptr, *out = nullptr, *copy = nullptr, *total = nullptr;
  cudaMalloc(&in, 1000 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&copy, 1000 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(in, 0, 999 * sizeof(int));  // one too few
  sum<<<1, 32>>>(in, out, 1000);
  cudaMemcpy(copy, in, 1000 * sizeof(int), cudaMemcpyDeviceToDevice);
  sum<<<1, 64>>>(copy, out, 1000);
  halo<<<1, 64>>>(out);
  count<<<1, 32>>>(total);
  heap<<<1, 3>>>(out);
  return cudaDeviceSynchronize();
}
