// What could depend on how many workers run the blocks, or on the dialect of the PTX; launched by determinism_test.cpp.
#include <cstdio>

extern "C" __global__ void float_atomics(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i % 3], in[i]);  // the sum depends on the order
}
extern "C" __global__ void tickets(const float*, float* out, int n) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = atomicAdd(reinterpret_cast<unsigned*>(out), 1u);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[1 + i] = static_cast<float>(mine * 1000 + threadIdx.x);
}
extern "C" __global__ void shared_reduction(const float* in, float* out, int n) {
  __shared__ float work[128];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  work[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) work[threadIdx.x] += work[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = work[0];
}
extern "C" __global__ void integer_histogram(const float* in, float* out, int n) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[static_cast<int>(in[i]) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(reinterpret_cast<int*>(out) + threadIdx.x, bins[threadIdx.x]);
}
extern "C" __global__ void divergent(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < i % 29; ++k) v = v > 4 ? v * 0.5f + k : v * 1.75f - k;
  switch (i % 5) {
    case 0: v = sinf(v); break;
    case 1: v = sqrtf(fabsf(v)); break;
    case 2: v = __shfl_xor_sync(__activemask(), v, 5); break;
    default: v = v / 3;
  }
  out[i] = v;
}
extern "C" __global__ void prints(const float* in, float*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 100 == 7) printf("%d: %.9g, clock %d\n", i, in[i], clock() > 0);
}
// Every block waits for the one before it; with fewer workers than blocks they must take turns.
extern "C" __global__ void chain(const float* in, float* out, int n) {
  volatile int* ready = reinterpret_cast<volatile int*>(out + 256);
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) while (ready[blockIdx.x - 1] == 0) {}
    __threadfence();
    out[blockIdx.x] = in[blockIdx.x] + (blockIdx.x > 0 ? reinterpret_cast<volatile float*>(out)[blockIdx.x - 1] : 0.0f);
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}
// Each block sums its own words in place, the last of them as warps once did without a barrier.
extern "C" __global__ void in_place(const float* in, float* out, int n) {
  if (blockIdx.x >= n / blockDim.x) return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  volatile float* own = out + blockIdx.x * blockDim.x;
  if (threadIdx.x < 32) {
    for (int k = 96; k >= 32; k -= 32) own[threadIdx.x] += own[threadIdx.x + k];
    own[threadIdx.x] += own[threadIdx.x + 16];
    own[threadIdx.x] += own[threadIdx.x + 8];
  }
}
extern "C" __global__ void faulty(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 700 == 655) out[i * 1000003ll] = in[0];
}
extern "C" __global__ void endless(const float* in, float* out, int n) {
  while (in[0] >= 0) out[blockIdx.x] = out[blockIdx.x] + 1;
}
