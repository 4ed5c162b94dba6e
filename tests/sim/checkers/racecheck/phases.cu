// What a block does between two barriers: loads alone and stores alone are of no interest until the other comes.

/// Nothing is stored until thousands of loads later, by a warp that reads on.
__global__ void loads_then_store(int* out, int rounds) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += tile[(threadIdx.x + i) % 64];
  if (threadIdx.x == 40) tile[3] = sum;
  out[threadIdx.x] = sum;
}

/// The barrier parts them, and so do words.
__global__ void tidy(int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  __syncthreads();
  tile[threadIdx.x] = 2;
  tile[threadIdx.x + 64] = 2;
}

/// Side by side, then the second warp's places again.
__global__ void stores_twice(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 20) tile[threadIdx.x + 32] = 7;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// A read before __syncwarp() is ordered before the write behind it, one after it is not.
__global__ void loads_around_a_sync(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  __syncthreads();
  int sum = tile[31 - threadIdx.x];
  __syncwarp();
  if (threadIdx.x < 8) sum += tile[threadIdx.x + 1];
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

/// Lane 0 has read the element, too, but did not wait.
__global__ void sync_without_one(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  if (threadIdx.x == 0) sum = tile[4];
  if (threadIdx.x != 0) {
    sum = tile[(threadIdx.x + 3) % 32];
    __syncwarp(~1u);
    if (threadIdx.x == 1) tile[4] = sum;
  }
  out[threadIdx.x] = sum;
}

/// Everybody reads one place, two lanes of the other warp their own; then bytes are written.
__global__ void one_place_then_bytes(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;
  __syncthreads();
  int sum = tile[5];
  if (threadIdx.x == 33 || threadIdx.x == 50) sum += tile[threadIdx.x];
  if (threadIdx.x == 0) reinterpret_cast<char*>(tile)[21] = 1;
  if (threadIdx.x == 1) reinterpret_cast<char*>(tile)[4 * 50] = 1;
  out[threadIdx.x] = sum;
}

__global__ void store_then_atomic(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  atomicAdd(&tile[63 - threadIdx.x], 1);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  loads_then_store<<<1, 64>>>(out, 6000);
  tidy<<<2, 64>>>(out);
  stores_twice<<<1, 64>>>(out);
  loads_around_a_sync<<<1, 32>>>(out);
  sync_without_one<<<1, 32>>>(out);
  one_place_then_bytes<<<1, 64>>>(out);
  store_then_atomic<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
