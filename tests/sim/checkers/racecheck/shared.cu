// Races in shared memory between warps, between lanes of a warp, and within one instruction.
__global__ void missing_barrier(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void missing_second_barrier(int* out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = i;  // the same value in every element, but not the one that stood there
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void last_writer_wins(int* out) {
  __shared__ int winner;
  if (threadIdx.x % 32 == 0) winner = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = winner;
}

__global__ void one_instruction(int* out) {
  __shared__ int slot[4];
  slot[threadIdx.x / 8] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = slot[threadIdx.x / 8];
}

__global__ void lockstep(int* out) {
  __shared__ volatile int sum[64];
  const int t = threadIdx.x;
  sum[t] = t;
  sum[t + 32] = 1;
  __syncwarp();
  sum[t] = sum[t] + sum[t + 32];
  if (t < 16) sum[t] = sum[t] + sum[t + 16];
  if (t == 0) *out = sum[0];
}

__global__ void read_beside_atomic(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (threadIdx.x == 0) *out = count;
}

__global__ void bytes(int* out) {
  extern __shared__ unsigned char text[];
  text[threadIdx.x] = 1;
  if (threadIdx.x < 63) text[threadIdx.x + 1] = 2;
  __syncthreads();
  out[threadIdx.x] = text[threadIdx.x];
}

__global__ void rounds_without_barrier(int* out) {
  __shared__ int sum[128];
  const int t = threadIdx.x;
  sum[t] = sum[t + 64] = t;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2)
    if (t < step) sum[t] += sum[t + step];
  out[t] = sum[t];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  missing_barrier<<<1, 64>>>(out);
  missing_second_barrier<<<1, 64>>>(out);
  last_writer_wins<<<1, 64>>>(out);
  one_instruction<<<1, 32>>>(out);
  lockstep<<<1, 32>>>(out);
  read_beside_atomic<<<1, 64>>>(out);
  bytes<<<1, 64, 64>>>(out);
  rounds_without_barrier<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
