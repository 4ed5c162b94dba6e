#pragma once
// Vectors: sums, reversals, activations.
#include <cuda_fp16.h>

#include "../../cases.cuh"

namespace fresh_kernels {

template <class T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
__global__ void axpy_half2(int n, float a, const __half2* x, __half2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}
__global__ void dot_thread_atomics(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i] * y[i]);
}
__global__ void dot_tree(const float* x, const float* y, float* partial, int n) {
  extern __shared__ float cache[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}
/// Of a block of whole warps; every thread gets it.
__device__ float block_sum(float x) {
  __shared__ float warps[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  x = warp_sum(x);
  __syncthreads();
  if (lane == 0) warps[warp] = x;
  __syncthreads();
  x = lane < blockDim.x / 32 ? warps[lane] : 0;
  return warp_sum(x);
}
__global__ void dot_shuffles(const float* x, const float* y, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
__global__ void reverse_to(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
__global__ void reverse_in_place(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int t = data[i];
  data[i] = data[n - 1 - i];
  data[n - 1 - i] = t;
}
__global__ void reverse_shared(const int* in, int* out, int n) {
  __shared__ int s[512];
  const int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) s[511 - threadIdx.x] = in[i];
  __syncthreads();
  const int to = n - (blockIdx.x + 1) * 512 + threadIdx.x;
  if (to >= 0) out[to] = s[threadIdx.x];
}
__global__ void max_atomic(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(out, in[i]);
}
__global__ void max_by_block(const int* in, int* out, int n) {
  __shared__ int most;
  if (threadIdx.x == 0) most = -1;
  __syncthreads();
  int mine = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine = max(mine, in[i]);
  atomicMax(&most, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, most);
}
__global__ void relu(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0.5f ? in[i] : 0.0f;
}
__global__ void sigmoid(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-in[i]));
}
__global__ void gelu(const float4* in, float4* out, int n) {
  const auto f = [](float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 x = in[i];
  out[i] = make_float4(f(x.x), f(x.y), f(x.z), f(x.w));
}
template <class T>
__global__ void horner(const T* x, const T* coefficients, T* y, int n, int degree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T result = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k) result = result * x[i] + coefficients[k];
  y[i] = result;
}

}  // namespace fresh_kernels
