// Barriers that some warps of a block wait at order what these do.

constexpr int kThreads = 128;

__device__ void wait_at(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ void arrive_at(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

/// Each half by itself, several times.
__global__ void by_halves(int* out) {
  __shared__ int tile[kThreads];
  const int half = threadIdx.x / (kThreads / 2), base = half * kThreads / 2, at = threadIdx.x % (kThreads / 2);
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    wait_at(1 + half, kThreads / 2);
    sum += tile[base + kThreads / 2 - 1 - at];
    wait_at(1 + half, kThreads / 2);
  }
  out[threadIdx.x] = sum;
}

/// One half stores and the other reads; both say when they have.
__global__ void producers(int* out) {
  __shared__ int tile[kThreads / 2];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x < kThreads / 2) {
      if (round > 0) wait_at(2, kThreads);
      tile[threadIdx.x] = threadIdx.x + round;
      arrive_at(1, kThreads);
    } else {
      wait_at(1, kThreads);
      sum += tile[kThreads - 1 - threadIdx.x];
      if (round < 2) arrive_at(2, kThreads);
    }
  }
  out[threadIdx.x] = sum;
}

/// What the first half learned from the second reaches a third by way of it.
__global__ void by_way_of(int* out) {
  __shared__ int tile[kThreads];
  const int warp = threadIdx.x / 32;
  if (warp == 3) tile[threadIdx.x - 96] = threadIdx.x;
  if (warp >= 2) wait_at(1, 64);
  if (warp == 2 || warp == 1) wait_at(2, 64);
  if (warp == 1) out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// The warps that are left are the whole block.
__global__ void some_are_gone(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 64) return;
  tile[threadIdx.x] += tile[threadIdx.x + 64];
  wait_at(1, 64);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, kThreads * sizeof(int));
  by_halves<<<1, kThreads>>>(out);
  producers<<<1, kThreads>>>(out);
  by_way_of<<<1, kThreads>>>(out);
  some_are_gone<<<1, kThreads>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
