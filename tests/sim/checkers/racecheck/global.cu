// Races in global memory, within a block and between blocks of a launch.
__global__ void shift(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) x[i] = x[i + 1];
}

__global__ void within_a_block(int* x) {
  x[threadIdx.x] = threadIdx.x;
  x[threadIdx.x] += x[63 - threadIdx.x];
}

__global__ void lost_updates(int* total) {
  if (threadIdx.x == 0) total[0] = total[0] + 1 + blockIdx.x;
}

__global__ void last_block_without_fence(int* partial, unsigned* ticket, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x;
  if (atomicInc(ticket, gridDim.x) != gridDim.x - 1) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += partial[b];
  *out = sum;
}

__device__ int flag;
__global__ void variable() { flag = blockIdx.x; }

int main() {
  int* x = nullptr;
  unsigned* ticket = nullptr;
  cudaMalloc(&x, 256 * sizeof(int));
  cudaMalloc(&ticket, sizeof(unsigned));
  cudaMemset(x, 0, 256 * sizeof(int));
  cudaMemset(ticket, 0, sizeof(unsigned));
  shift<<<4, 32>>>(x, 128);
  within_a_block<<<1, 64>>>(x);
  lost_updates<<<3, 32>>>(x);
  last_block_without_fence<<<4, 32>>>(x, ticket, x + 200);
  variable<<<2, 1>>>();
  return cudaDeviceSynchronize();
}
