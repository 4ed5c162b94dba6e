// Arriving is half of a barrier: who does not wait for the phase is not ordered by it.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void does_not_wait(int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  (void)barrier.arrive();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// Orders writing before reading, but not reading before writing again.
__global__ void one_barrier_a_round(int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    tile[threadIdx.x] = i + threadIdx.x;
    barrier.arrive_and_wait();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

/// A variable whose name, unmangled, is that of a type elsewhere.
__global__ void no_barrier(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  does_not_wait<<<1, 64>>>(out);
  one_barrier_a_round<<<1, 64>>>(out);
  no_barrier<<<1, 64, 256>>>(out);
  return cudaDeviceSynchronize();
}
