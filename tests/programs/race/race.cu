__global__ void reversed(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int* device = nullptr;
  cudaMalloc(&device, 64 * sizeof(int));
  reversed<<<1, 64>>>(device);
  cudaDeviceSynchronize();
  cudaFree(device);
  return 4;
}
