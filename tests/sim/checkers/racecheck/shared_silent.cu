// What looks like a race in shared memory and is none.
__global__ void barriers(int* out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void same_value(int* out) {
  __shared__ int n, found;
  n = blockDim.x;  // every thread writes the same, and reads what it has written itself
  out[threadIdx.x] = n;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) found = 1;
  __syncthreads();
  out[threadIdx.x] += found;
}

__global__ void within_a_warp(int* out) {
  __shared__ int sum[64];
  const int t = threadIdx.x, lane = t % 32, first = t - lane;
  sum[t] = t;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = sum[first + (lane ^ step)];
    __syncwarp();
    sum[t] += other;
    __syncwarp();
  }
  out[t] = sum[first];
}

/// What one side of && decides, the other side is not read for.
__global__ void asked_by_one(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = out[0];
  if (threadIdx.x == 0 && sum != 0) atomicAdd(out, sum);
}

__global__ void own_elements(int* out) {
  __shared__ int mine[64];
  mine[threadIdx.x] = 1;
  for (int i = 0; i < 4; ++i) mine[threadIdx.x] += mine[threadIdx.x];
  out[threadIdx.x] = mine[threadIdx.x];
}

__global__ void atomics(int* out) {
  __shared__ int histogram[4];
  if (threadIdx.x < 4) histogram[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&histogram[threadIdx.x % 4], 1);
  atomicMax(&histogram[0], 1);
  __syncthreads();
  out[threadIdx.x] = histogram[threadIdx.x % 4];
}

__global__ void neighbouring_bytes(int* out) {
  __shared__ unsigned char text[64];
  text[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = text[threadIdx.x];
}

__global__ void guarded_by_a_lock(int* out) {
  __shared__ int lock, total;
  if (threadIdx.x == 0) lock = total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    total += 1 + threadIdx.x;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = total;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  barriers<<<1, 64>>>(out);
  same_value<<<1, 64>>>(out);
  within_a_warp<<<1, 64>>>(out);
  asked_by_one<<<1, 64>>>(out);
  own_elements<<<1, 64>>>(out);
  atomics<<<1, 64>>>(out);
  neighbouring_bytes<<<1, 64>>>(out);
  guarded_by_a_lock<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
