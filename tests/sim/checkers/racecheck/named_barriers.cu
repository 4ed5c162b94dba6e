// A barrier that some warps of a block wait at says nothing about the others, nor about what a warp does behind
// its arrival.

constexpr int kThreads = 128;

__device__ void wait_at(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ void arrive_at(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

/// Half of the block meets, and reads what the other half has stored.
__global__ void other_half(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < kThreads / 2)
    wait_at(1, kThreads / 2);
  else
    wait_at(2, kThreads / 2);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

/// The producers arrive before they have stored.
__global__ void arrives_early(int* out) {
  __shared__ int tile[kThreads / 2];
  if (threadIdx.x < kThreads / 2) {
    arrive_at(1, kThreads);
    tile[threadIdx.x] = threadIdx.x;
  } else {
    wait_at(1, kThreads);
    out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
  }
}

/// The second round stores into what may still be read.
__global__ void nobody_says_empty(int* out) {
  __shared__ int tile[kThreads / 2];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x < kThreads / 2) {
      tile[threadIdx.x] = threadIdx.x + round;
      arrive_at(1, kThreads);
    } else {
      wait_at(1, kThreads);
      sum += tile[kThreads - 1 - threadIdx.x];
    }
  }
  out[threadIdx.x] = sum;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, kThreads * sizeof(int));
  other_half<<<1, kThreads>>>(out);
  arrives_early<<<1, kThreads>>>(out);
  nobody_says_empty<<<1, kThreads>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
