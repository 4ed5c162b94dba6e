// Atomics that overwrite what nobody else adds to at that time.

__global__ void lock(int* held, int* count) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(held, 0, 1) != 0) {
  }
  __threadfence();
  atomicAdd(count, 1);
  __threadfence();
  atomicExch(held, 0);
}

__global__ void lock_by_exchange(int* held, int* count) {
  if (threadIdx.x != 0) return;
  while (atomicExch(held, 1) != 0) {
  }
  __threadfence();
  atomicAdd(count, 1);
  __threadfence();
  atomicExch(held, 0);
}

__global__ void tickets(int* next, int* slots) {
  if (threadIdx.x == 0) atomicExch(slots + atomicAdd(next, 1), static_cast<int>(blockIdx.x));
}

/// The counter is full, and only then does the last block set it back.
__global__ void last_block_resets(int* arrived, int* rounds) {
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (last && threadIdx.x == 33) atomicExch(arrived, 0);
  if (last && threadIdx.x == 0) atomicAdd(rounds, 1);
}

/// Without a fence: a thread's own accesses to one word keep their order.
__global__ void last_block_puts_back(int* arrived) {
  if (threadIdx.x == 0 && atomicAdd(arrived, 1) == static_cast<int>(gridDim.x) - 1) *arrived = 0;
}

/// Polled past the caches, written through them.
__global__ void told_by_hints(int* ready, int* seen) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    __stwt(ready, 1);
  } else {
    while (__ldcv(ready) == 0) {
    }
    atomicAdd(seen, 1);
  }
}

/// Who takes away what was added keeps it.
__global__ void taken(int* sum, int* total) {
  atomicAdd(sum, 1);
  if (threadIdx.x == 0) atomicAdd(total, atomicExch(sum, 0));
}

/// Adding nothing only looks.
__global__ void flag(int* ready, int* seen) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(ready, 1);
  } else {
    while (atomicAdd(ready, 0) == 0) {
    }
    atomicAdd(seen, 1);
  }
}

__global__ void after_a_barrier(const int* x, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) atomicExch(&sum, 0);
  __syncthreads();
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 512 * sizeof(int));
  cudaMemset(x, 0, 512 * sizeof(int));
  lock<<<4, 32>>>(x, x + 1);
  lock_by_exchange<<<4, 32>>>(x + 2, x + 3);
  tickets<<<4, 32>>>(x + 4, x + 8);
  last_block_resets<<<4, 64>>>(x + 16, x + 17);
  taken<<<4, 64>>>(x + 18, x + 19);
  flag<<<4, 32>>>(x + 20, x + 21);
  last_block_puts_back<<<4, 64>>>(x + 22);
  told_by_hints<<<2, 32>>>(x + 23, x + 24);
  after_a_barrier<<<2, 64>>>(x + 64, x + 300);
  return cudaDeviceSynchronize() != cudaSuccess || cudaFree(x) != cudaSuccess;
}
