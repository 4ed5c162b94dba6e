// `vector`: four float4 that lie a block apart for each thread. `grid_stride`: each thread of the fixed grid has the elements
// of its warp's part of the arrays.
#include "contract.cuh"

__global__ void rows_of_threads(int n, float alpha, const float* __restrict__ x, float* __restrict__ y) {
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = fmaf(alpha, __ldg(x + i), y[i]);
}

void saxpy_simple(int n, float alpha, const float* x, float* y) {
  const int blocks = (n + 127) / 128;
  if (blocks > 0) rows_of_threads<<<dim3(64, (blocks + 63) / 64), 128>>>(n, alpha, x, y);
}

__global__ void parts(int n, float alpha, const float* x, float* y) {
  const int warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lines = (n + 31) / 32;  // of 32 elements
  const int begin = static_cast<int>(static_cast<long long>(lines) * warp / warps);
  const int end = static_cast<int>(static_cast<long long>(lines) * (warp + 1) / warps);
  for (int line = begin; line < end; ++line) {
    const int i = line * 32 + threadIdx.x % 32;
    if (i < n) y[i] += alpha * x[i];
  }
}

void saxpy_grid_stride(int n, float alpha, const float* x, float* y) { parts<<<512, 256>>>(n, alpha, x, y); }

__device__ float4 joined(float alpha, float4 a, float4 b) {
  return make_float4(fmaf(alpha, a.x, b.x), fmaf(alpha, a.y, b.y), fmaf(alpha, a.z, b.z),
                     fmaf(alpha, a.w, b.w));
}

__global__ void sixteen(int n, float alpha, const float4* x, float4* y) {
  const int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * blockDim.x;
    if (i < n / 4) y[i] = joined(alpha, x[i], y[i]);
  }
}

__global__ void rest(int n, float alpha, const float* x, float* y) {
  const int i = n / 4 * 4 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

void saxpy_vector(int n, float alpha, const float* x, float* y) {
  if (n >= 4)
    sixteen<<<(n / 4 + 511) / 512, 128>>>(n, alpha, reinterpret_cast<const float4*>(x),
                                          reinterpret_cast<float4*>(y));
  if (n % 4 > 0) rest<<<1, 4>>>(n, alpha, x, y);
}
