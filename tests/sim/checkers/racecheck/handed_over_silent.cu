// What blocks let each other see behind a fence, or by a word alone.
#include <cuda/atomic>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int kBlocks = 4;

/// All threads store, all fence, and one tells, once they have met.
__global__ void all_fence(int* partial, int* ticket, int* out) {
  __shared__ bool last;
  partial[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == kBlocks - 1;
  __syncthreads();
  if (!last) return;
  for (int b = 1; b < kBlocks; ++b) partial[threadIdx.x] += partial[b * 64 + threadIdx.x];
  if (threadIdx.x == 33) *ticket = 0;
  if (threadIdx.x == 0) *out = 1;
}

__global__ void acquire_and_release(int* partial, int* ticket, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> count(*ticket);
  partial[blockIdx.x] = blockIdx.x;
  if (count.fetch_add(1, cuda::memory_order_acq_rel) != kBlocks - 1) return;
  int sum = 0;
  for (int b = 0; b < kBlocks; ++b) sum += partial[b];
  *out = sum;
}

/// Each has seen the one before, and so all that came before.
__global__ void chain(int* ready, int* sum, int* all) {
  if (threadIdx.x != 0) return;
  all[blockIdx.x] = 1;
  while (*static_cast<volatile int*>(ready) != blockIdx.x) {
  }
  __threadfence();
  *sum += blockIdx.x;
  if (blockIdx.x == kBlocks - 1) {
    for (int b = 0; b < kBlocks; ++b) *sum += all[b];
  }
  __threadfence();
  *static_cast<volatile int*>(ready) = blockIdx.x + 1;
}

__global__ void lock(int* held, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(held, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(held, 0);
}

/// The one that has looked at a flag puts it back: its own accesses to one word keep their order.
__global__ void flags(int* ready, int* data, int* out) {
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = blockIdx.x;
  __threadfence();
  static_cast<volatile int*>(ready)[blockIdx.x] = 1;
  if (blockIdx.x != kBlocks - 1) return;
  int sum = 0;
  for (int b = 0; b < kBlocks; ++b) {
    while (static_cast<volatile int*>(ready)[b] == 0) {
    }
    __threadfence();
    sum += data[b];
    ready[b] = 0;
  }
  *out = sum;
}

/// What is volatile passes L1 by.
__global__ void volatile_behind_the_look(volatile int* data, volatile int* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 1;
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
    *out = *data;
  }
}

__global__ void loaded_from_l2(int* data, volatile int* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 1;
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
    *out = __ldcg(data);
  }
}

/// Warps of one block need no more than its fence.
__global__ void within_a_block(int* flag, int* data, int* out) {
  if (threadIdx.x == 0) {
    *data = 1;
    __threadfence_block();
    atomicExch_block(flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd_block(flag, 0) == 0) {
    }
    __threadfence_block();
    *out = *data;
  }
}

/// The flag itself is no race, nor is what stands before it.
__global__ void told_in_shared_memory(int* out) {
  __shared__ volatile int go;
  __shared__ int sum;
  if (threadIdx.x == 0) go = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 7;
    __threadfence_block();
    go = 1;
  }
  if (threadIdx.x == 32) {
    while (go == 0) {
    }
    __threadfence_block();
    *out = sum;
  }
}

/// All threads fence and meet, by whatever barrier, before one of them tells.
__global__ void all_fence_and_meet(int* partial, int* ticket, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier meeting;
  __shared__ bool last;
  if (threadIdx.x == 0) init(&meeting, blockDim.x);
  __syncthreads();
  partial[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  meeting.arrive_and_wait();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == kBlocks - 1;
  meeting.arrive_and_wait();
  if (!last) return;
  int sum = 0;
  for (int b = 0; b < kBlocks; ++b) sum += partial[b * 64 + threadIdx.x];
  atomicAdd(out, sum);
}

/// One warp tells another, which tells the other block.
__global__ void told_on(int* flags, int* data, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 1;
    __threadfence_block();
    atomicExch_block(flags, 1);
  }
  if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (atomicAdd_block(flags, 0) == 0) {
    }
    __threadfence();
    atomicExch(flags + 1, 1);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(flags + 1, 0) == 0) {
    }
    __threadfence();
    *out = *data;
  }
}

/// Each word says by its value whether it is there.
__global__ void told_by_itself(volatile int* sums, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    sums[blockIdx.x] = blockIdx.x;
    return;
  }
  int sum = 0;
  for (int b = 1; b < kBlocks; ++b) {
    int one;
    do {
      one = sums[b];
    } while (one == 0);
    sum += one;
  }
  *out = sum;
}

/// Who only looks on his way out takes nothing.
__global__ void leaves_when_told(volatile int* done, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) *done = 1;
  if (blockIdx.x == 2 && *done != 0) return;
  out[blockIdx.x] = 1;
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 1024 * sizeof(int));
  cudaMemset(x, 0, 1024 * sizeof(int));
  all_fence<<<kBlocks, 64>>>(x + 64, x, x + 1);
  acquire_and_release<<<kBlocks, 32>>>(x + 512, x + 2, x + 3);
  chain<<<kBlocks, 32>>>(x + 4, x + 5, x + 8);
  lock<<<kBlocks, 32>>>(x + 16, x + 17);
  flags<<<kBlocks, 32>>>(x + 20, x + 24, x + 28);
  volatile_behind_the_look<<<2, 32>>>(x + 48, x + 49, x + 50);
  loaded_from_l2<<<2, 32>>>(x + 52, x + 53, x + 54);
  told_in_shared_memory<<<2, 64>>>(x + 56);
  all_fence_and_meet<<<kBlocks, 64>>>(x + 576, x + 58, x + 59);
  within_a_block<<<1, 64>>>(x + 32, x + 33, x + 34);
  told_on<<<2, 64>>>(x + 36, x + 38, x + 39);
  told_by_itself<<<kBlocks, 32>>>(x + 600, x + 620);
  leaves_when_told<<<kBlocks, 32>>>(x + 630, x + 640);
  return cudaDeviceSynchronize();
}
