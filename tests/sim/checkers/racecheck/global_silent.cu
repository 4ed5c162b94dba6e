// What looks like a race in global memory and is none.
#include <cooperative_groups.h>

__global__ void own_elements(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[0] + in[i];
}

__global__ void atomics(int* total, int* most) {
  atomicAdd(total, 1);
  atomicMax(most, blockIdx.x);
}

__global__ void same_value(int* changed) { *changed = 1; }

__device__ double atomic_add(double* at, double value) {  // as in the CUDA guide
  auto* bits = reinterpret_cast<unsigned long long*>(at);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void compare_and_swap(double* total) { atomic_add(total, 1.0); }

__global__ void last_block(int* partial, unsigned* ticket, int* out) {
  __shared__ int sums[64];
  __shared__ bool last;
  sums[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += sums[i];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
  if (last && threadIdx.x == 0) *ticket = 0;  // for the next launch
}

__global__ void spin_on_flag(volatile int* flag, int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
  }
}

// By the lanes of one warp, as cuda::atomic_ref does it; a volatile load would race with their changes.
__global__ void counted_and_looked_at(int* counter, int* seen) {
  atomicAdd(counter, 1);
  int now;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
  seen[blockIdx.x * blockDim.x + threadIdx.x] = now;
}

__global__ void grid_barrier(int* x) {
  const auto grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = i;
  grid.sync();
  const int other = x[n - 1 - i];
  grid.sync();
  x[i] = other;
}

/// What misses a smaller one only asks for an atomic too many.
__global__ void worth_it(const int* in, int* least, int* bits) {
  __shared__ int most;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  if (v < *least) atomicMin(least, v);
  if (v > *static_cast<volatile int*>(&most)) atomicMax(&most, v);
  if ((bits[0] >> v % 32 & 1) == 0) atomicOr(bits, 1 << v % 32);
}

/// One load brings all four parts of an element, the last of which others change and this thread does not use.
__global__ void parts(float4* points, float* out) {
  __shared__ float4 here[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  here[threadIdx.x] = make_float4(1, 1, 1, 1);
  __syncthreads();
  const float4 p = points[n - 1 - i], q = here[63 - threadIdx.x];
  out[i] = p.x + p.y + p.z + q.x + q.y + q.z;
  points[i].w = i;
  here[threadIdx.x].w = i;
}

int main() {
  int* x = nullptr;
  double* total = nullptr;
  cudaMalloc(&x, 512 * sizeof(int));
  cudaMalloc(&total, sizeof(double));
  cudaMemset(x, 0, 512 * sizeof(int));
  cudaMemset(total, 0, sizeof(double));
  own_elements<<<4, 32>>>(x, x + 256, 128);
  atomics<<<4, 64>>>(x, x + 1);
  same_value<<<4, 64>>>(x + 2);
  compare_and_swap<<<4, 64>>>(total);
  last_block<<<4, 64>>>(x + 16, reinterpret_cast<unsigned*>(x + 3), x + 4);
  spin_on_flag<<<2, 32>>>(x + 5, x + 6, x + 7);
  counted_and_looked_at<<<1, 32>>>(x + 8, x + 256);
  worth_it<<<4, 64>>>(x, x + 9, x + 10);
  float4* points = nullptr;
  float* sums = nullptr;
  cudaMalloc(&points, 256 * sizeof(float4));
  cudaMalloc(&sums, 256 * sizeof(float));
  cudaMemset(points, 0, 256 * sizeof(float4));
  parts<<<4, 64>>>(points, sums);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier), dim3(4), dim3(64), arguments, 0, nullptr);
  return cudaDeviceSynchronize();
}
