#pragma once
// Products from the plain to register tiles and asynchronous copies; transposes; a matrix times a vector.
#include <cuda_pipeline.h>

#include "../cases.cuh"

__global__ void product(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
template <int kTile>
__global__ void product_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += kTile) {
    ta[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
/// Each of 16 x 16 threads has kMine x kMine results; with kAsync the next tiles are copied meanwhile.
template <int kMine, bool kAsync>
__global__ void product_registers(const float* a, const float* b, float* c, int n) {
  constexpr int kSide = 16 * kMine, kDeep = 16, kStages = kAsync ? 2 : 1;
  __shared__ float ta[kStages][kDeep][kSide + (kAsync ? 0 : 1)], tb[kStages][kDeep][kSide];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum[kMine][kMine] = {};
  const auto fetch = [&](int t, int stage) {
    for (int i = threadIdx.x; i < kSide * kDeep; i += 256) {
      const float* from_a = &a[(blockIdx.y * kSide + i / kDeep) * n + t + i % kDeep];
      const float* from_b = &b[(t + i / kSide) * n + blockIdx.x * kSide + i % kSide];
      if (kAsync) {
        __pipeline_memcpy_async(&ta[stage][i % kDeep][i / kDeep], from_a, 4);
        __pipeline_memcpy_async(&tb[stage][i / kSide][i % kSide], from_b, 4);
      } else {
        ta[stage][i % kDeep][i / kDeep] = *from_a;
        tb[stage][i / kSide][i % kSide] = *from_b;
      }
    }
    if (kAsync) __pipeline_commit();
  };
  fetch(0, 0);
  for (int t = 0, stage = 0; t < n; t += kDeep) {
    if (kAsync) {
      if (t + kDeep < n) fetch(t + kDeep, stage ^ 1);
      __pipeline_wait_prior(t + kDeep < n ? 1 : 0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      float x[kMine], y[kMine];
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
        y[i] = ta[stage][k][ty * kMine + i];
        x[i] = tb[stage][k][tx * kMine + i];
      }
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
#pragma unroll
        for (int j = 0; j < kMine; ++j) sum[i][j] += y[i] * x[j];
      }
    }
    __syncthreads();
    if (kAsync)
      stage ^= 1;
    else if (t + kDeep < n)
      fetch(t + kDeep, 0);
  }
  for (int i = 0; i < kMine; ++i)
    for (int j = 0; j < kMine; ++j)
      c[(blockIdx.y * kSide + ty * kMine + i) * n + blockIdx.x * kSide + tx * kMine + j] = sum[i][j];
}
__global__ void transpose(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  to[x * n + y] = from[y * n + x];
}
template <int kPad>
__global__ void transpose_tiled(const float* from, float* to, int n) {
  __shared__ float tile[32][32 + kPad];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = from[(y + k) * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) to[(ty + k) * n + tx] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void row_by_thread(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += m[row * columns + k] * x[k];
  y[row] = sum;
}
__global__ void column_by_thread(const float* m, float* y, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float most = m[column];
  for (int k = 1; k < rows; ++k) most = fmaxf(most, m[k * columns + column]);
  y[column] = most;
}
__global__ void row_by_warp(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < columns; k += 32) sum += m[row * columns + k] * x[k];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[row] = sum;
}
__global__ void row_by_block(const float* m, float* y, int columns) {
  __shared__ float sums[256];
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) sum += m[blockIdx.x * columns + k];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) sums[threadIdx.x] += sums[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}

inline void matrices(Cases& cases) {
  const Pool& p = cases.pool;
  cases.family = "product";
  for (const int n : {128, 256, 512}) cases.add("16x16_" + std::to_string(n), dim3(n / 16, n / 16), dim3(16, 16), 0, product, p.a, p.b, p.c, n);
  cases.add("32x8_256", dim3(8, 32), dim3(32, 8), 0, product, p.a, p.b, p.c, 256);
  cases.add("8x32_256", dim3(32, 8), dim3(8, 32), 0, product, p.a, p.b, p.c, 256);
  cases.family = "product_tiled";
  for (const int n : {128, 256, 512}) cases.add("16_" + std::to_string(n), dim3(n / 16, n / 16), dim3(16, 16), 0, product_tiled<16>, p.a, p.b, p.c, n);
  for (const int n : {256, 512}) cases.add("32_" + std::to_string(n), dim3(n / 32, n / 32), dim3(32, 32), 0, product_tiled<32>, p.a, p.b, p.c, n);
  cases.family = "product_registers";
  cases.add("2_512", dim3(16, 16), 256, 0, product_registers<2, false>, p.a, p.b, p.c, 512);
  cases.add("4_512", dim3(8, 8), 256, 0, product_registers<4, false>, p.a, p.b, p.c, 512);
  cases.add("4_1024", dim3(16, 16), 256, 0, product_registers<4, false>, p.a, p.b, p.c, 1024);
  cases.add("8_1024", dim3(8, 8), 256, 0, product_registers<8, false>, p.a, p.b, p.c, 1024);
  cases.family = "product_async";
  cases.add("4_512", dim3(8, 8), 256, 0, product_registers<4, true>, p.a, p.b, p.c, 512);
  cases.add("4_1024", dim3(16, 16), 256, 0, product_registers<4, true>, p.a, p.b, p.c, 1024);
  cases.family = "transpose";
  for (const int n : {512, 1024, 2048}) cases.add("plain_" + std::to_string(n), dim3(n / 32, n / 8), dim3(32, 8), 0, transpose, p.a, p.b, n);
  cases.add("plain_16x16_1024", dim3(64, 64), dim3(16, 16), 0, transpose, p.a, p.b, 1024);
  cases.family = "transpose_tiled";
  for (const int n : {1024, 2048}) {
    cases.add("0_" + std::to_string(n), dim3(n / 32, n / 32), dim3(32, 8), 0, transpose_tiled<0>, p.a, p.b, n);
    cases.add("1_" + std::to_string(n), dim3(n / 32, n / 32), dim3(32, 8), 0, transpose_tiled<1>, p.a, p.b, n);
  }
  cases.family = "row_by_thread";
  for (const int block : {32, 64, 128, 256, 512, 1024})
    cases.add("1000_by_" + std::to_string(block), blocks_for(1000, block), block, 0, row_by_thread, p.a, p.b, p.c, 1000, 1000);
  cases.add("4096x256", 32, 128, 0, row_by_thread, p.a, p.b, p.c, 4096, 256);
  cases.family = "column_by_thread";
  cases.add("1024x1024", 8, 128, 0, column_by_thread, p.a, p.b, 1024, 1024);
  cases.add("256x8192", 64, 128, 0, column_by_thread, p.a, p.b, 256, 8192);
  cases.family = "row_by_warp";
  cases.add("1000x1000", 125, 256, 0, row_by_warp, p.a, p.b, p.c, 1000, 1000);
  cases.add("4096x1024", 512, 256, 0, row_by_warp, p.a, p.b, p.c, 4096, 1024);
  cases.family = "row_by_block";
  cases.add("1024x1024", 1024, 256, 0, row_by_block, p.a, p.b, 1024);
  cases.add("1024x4096", 1024, 256, 0, row_by_block, p.a, p.b, 4096);
  cases.add("64x65536", 64, 256, 0, row_by_block, p.a, p.b, 65536);
}
