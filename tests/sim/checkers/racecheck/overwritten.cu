// Atomics that throw away what other blocks or warps add in the same launch.

__global__ void zero_and_add(const int* x, int* sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicExch(sum, 0);
  atomicAdd(sum, x[threadIdx.x]);
}

__global__ void zero_late(const float* x, float* most) {
  atomicAdd(most, x[threadIdx.x]);
  if (threadIdx.x == 0) atomicExch(most, 0.0f);
}

// Each block puts the counter back, whoever is still to come.
__global__ void put_back(int* arrived) {
  if (threadIdx.x == 0 && atomicAdd(arrived, 1) >= 0) *arrived = 0;
}

__global__ void within_a_block(const int* x, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) atomicExch(&sum, 0);
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 512 * sizeof(int));
  cudaMemset(x, 0, 512 * sizeof(int));
  zero_and_add<<<4, 32>>>(x, x + 256);
  zero_late<<<4, 32>>>(reinterpret_cast<float*>(x), reinterpret_cast<float*>(x + 257));
  put_back<<<4, 32>>>(x + 258);
  within_a_block<<<1, 64>>>(x, x + 300);
  return cudaDeviceSynchronize() != cudaSuccess || cudaFree(x) != cudaSuccess;
}
