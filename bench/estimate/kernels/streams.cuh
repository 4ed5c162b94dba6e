#pragma once
// Through memory once: widths, strides, offsets, few blocks, many.
#include "../cases.cuh"

template <class T>
__global__ void copy(const T* from, T* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
template <class T>
__global__ void copy_loop(const T* from, T* to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}
__global__ void strided(const float* from, float* to, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i * stride];
}
__global__ void shifted(const float* from, float* to, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i + by];
}
__global__ void axpy(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.5f * x[i] + y[i];
}
__global__ void only_store(float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 1.0f;
}
__global__ void store_strided(float* to, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i * stride] = 1.0f;
}
__global__ void nothing() {}

inline void streams(Cases& cases) {
  const Pool& p = cases.pool;
  cases.family = "launch";
  for (const unsigned blocks : {1u, 132u, 4096u, 65536u}) cases.add("empty_" + std::to_string(blocks), blocks, 32, 0, nothing);
  cases.add("empty_65536x256", 65536, 256, 0, nothing);
  cases.family = "copy";
  for (const int n : {1 << 18, 1 << 20, 1 << 22, 1 << 24})
    cases.add("float_" + std::to_string(n), blocks_for(n, 256), 256, 0, copy<float>, p.a, p.b, n);
  for (const int block : {32, 64, 1024})
    cases.add("float_4194304_by_" + std::to_string(block), blocks_for(1 << 22, block), block, 0, copy<float>, p.a, p.b, 1 << 22);
  cases.add("float4_4194304", blocks_for(1 << 20, 256), 256, 0, copy<float4>, (float4*)p.a, (float4*)p.b, 1 << 20);
  cases.add("double_2097152", blocks_for(1 << 21, 256), 256, 0, copy<double>, (double*)p.a, (double*)p.b, 1 << 21);
  cases.add("char_4194304", blocks_for(1 << 22, 256), 256, 0, copy<char>, (char*)p.a, (char*)p.b, 1 << 22);
  cases.add("axpy_1048576", blocks_for(1 << 20, 256), 256, 0, axpy, p.a, p.b, p.c, 1 << 20);
  cases.add("axpy_4194304", blocks_for(1 << 22, 256), 256, 0, axpy, p.a, p.b, p.c, 1 << 22);
  cases.family = "few_blocks";
  for (const unsigned blocks : {1u, 8u, 33u, 132u, 528u})
    cases.add("copy_" + std::to_string(blocks), blocks, 256, 0, copy_loop<float>, p.a, p.b, 1 << 19);
  cases.add("copy_132x1024", 132, 1024, 0, copy_loop<float>, p.a, p.b, 1 << 20);
  cases.family = "stride";
  for (const int stride : {2, 4, 8, 16})
    cases.add("load_" + std::to_string(stride), blocks_for(1 << 20, 256), 256, 0, strided, p.a, p.b, 1 << 20, stride);
  cases.family = "offset";
  for (const int by : {1, 8, 17}) cases.add("by_" + std::to_string(by), blocks_for(1 << 20, 256), 256, 0, shifted, p.a, p.b, 1 << 20, by);
  cases.family = "store";
  for (const int n : {1 << 18, 1 << 20, 1 << 22}) cases.add("float_" + std::to_string(n), blocks_for(n, 256), 256, 0, only_store, p.b, n);
  for (const int stride : {2, 8, 16})
    cases.add("stride_" + std::to_string(stride), blocks_for(1 << 20, 256), 256, 0, store_strided, p.b, 1 << 20, stride);
}
