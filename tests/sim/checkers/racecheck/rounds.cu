// Loops of which one of two barriers is missing: which one follows from where the other stands, whoever comes first.
__global__ void none_behind_the_read(int* out, int rounds) {
  __shared__ int tile[64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void none_behind_the_write(int* out, int rounds) {
  __shared__ int tile[64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void none_at_all(int* out, int rounds) {
  __shared__ int tile[64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void none_behind_a_step(int* out, int rounds) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const int other = tile[63 - threadIdx.x];
    __syncthreads();
    tile[threadIdx.x] = other + i;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void lanes(int* out, int rounds) {
  __shared__ int tile[32];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    __syncwarp();
    sum += tile[31 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  none_behind_the_read<<<1, 64>>>(out, 3);
  none_behind_the_write<<<1, 64>>>(out, 3);
  none_at_all<<<1, 64>>>(out, 3);
  none_behind_a_step<<<1, 64>>>(out, 3);
  lanes<<<1, 32>>>(out, 3);
  return cudaDeviceSynchronize();
}
