// What one block lets another see, in ways that do not hold between blocks.
#include <cooperative_groups.h>

#include <cuda/atomic>

constexpr int kBlocks = 4;

__device__ int partial[kBlocks];

__device__ void add_up(bool last, int* out) {
  if (!last) return;
  int sum = 0;
  for (int b = 0; b < kBlocks; ++b) sum += partial[b];
  *out = sum;
}

__global__ void fence_of_the_block(int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x;
  __threadfence_block();
  add_up(atomicAdd(ticket, 1) == kBlocks - 1, out);
}

__global__ void fence_too_late(int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x;
  const bool last = atomicAdd(ticket, 1) == kBlocks - 1;
  __threadfence();
  add_up(last, out);
}

/// That all add to it says nothing about who has come before.
__global__ void ticket_of_the_block(int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x;
  __threadfence();
  add_up(atomicAdd_block(ticket, 1) == kBlocks - 1, out);
}

/// The others may have added before.
__global__ void first_sets(int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(ticket, 1) == 0) *out = 0;
  __threadfence();
  atomicAdd(out, 1);
}

/// They have seen another word than the one that the fence stands before.
__global__ void told_by_another_word(int* ready, int* other, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *out = 1;
    atomicExch(other, 1);
    __threadfence();
    atomicExch(ready, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(other, 0) == 0) {
    }
    out[1] = *out;
  }
}

/// Volatile is no order.
__global__ void data_without_fence(volatile int* data, volatile int* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 1;
    *ready = 1;
  } else if (blockIdx.x == 1) {
    while (*ready == 0) {
    }
    *out = *data;
  }
}

/// L1 may hold the data from before.
__global__ void no_fence_behind_the_look(int* data, volatile int* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 1;
    __threadfence();
    *ready = 1;
  } else if (blockIdx.x == 1) {
    while (*ready == 0) {
    }
    *out = *data;
  }
}

/// Whatever it is compared with, what becomes part of the sum is a result.
__global__ void looked_at(volatile int* data, int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = blockIdx.x;
  if (atomicAdd(ticket, 1) < kBlocks - 1) return;
  int sum = 0;
  for (int b = 0; b < kBlocks; ++b) {
    const int one = data[b];
    if (one == 0) continue;
    sum += one;
    __threadfence_block();
  }
  *out = sum;
}

__global__ void relaxed(int* data, int* ready, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*ready);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 1;
    flag.store(1, cuda::memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

__global__ void grid_barrier_too_late(int* x, int* out) {
  if (threadIdx.x == 0) x[blockIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = x[(blockIdx.x + 1) % kBlocks];
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] += x[(blockIdx.x + 2) % kBlocks];
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  fence_of_the_block<<<kBlocks, 32>>>(x, x + 1);
  fence_too_late<<<kBlocks, 32>>>(x + 2, x + 3);
  ticket_of_the_block<<<kBlocks, 32>>>(x + 4, x + 5);
  first_sets<<<kBlocks, 32>>>(x + 6, x + 7);
  told_by_another_word<<<kBlocks, 32>>>(x + 8, x + 9, x + 10);
  data_without_fence<<<kBlocks, 32>>>(x + 12, x + 13, x + 14);
  relaxed<<<kBlocks, 32>>>(x + 16, x + 17, x + 18);
  no_fence_behind_the_look<<<kBlocks, 32>>>(x + 28, x + 29, x + 30);
  looked_at<<<kBlocks, 32>>>(x + 32, x + 40, x + 41);
  int *y = x + 20, *z = x + 24;
  void* arguments[] = {&y, &z};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier_too_late), dim3(kBlocks), dim3(32), arguments);
  return cudaDeviceSynchronize();
}
