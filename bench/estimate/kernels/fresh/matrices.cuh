#pragma once
// Matrices: products, transposes, rows.
#include "vectors.cuh"

namespace fresh_kernels {

__global__ void matvec_row_thread(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += m[row * columns + j] * x[j];
    y[row] = sum;
  }
}
__global__ void matvec_column_thread(const float* transposed, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += transposed[j * rows + row] * x[j];
    y[row] = sum;
  }
}
__global__ void matvec_row_warp(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4* from = reinterpret_cast<const float4*>(m + row * columns);
  const float4* by = reinterpret_cast<const float4*>(x);
  float sum = 0;
  for (int j = lane; j < columns / 4; j += 32) {
    const float4 a = from[j], b = by[j];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void matvec_row_block(const float* m, const float* x, float* y, int columns) {
  float sum = 0;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) sum += m[blockIdx.x * columns + j] * x[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int depth) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}
/// The beginner's mistake: neighbours in x have neighbouring rows.
__global__ void matmul_swapped(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}
template <class T, int kTile>
__global__ void matmul_tile(const T* a, const T* b, T* c, int n) {
  __shared__ T as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  T sum = 0;
  for (int t = 0; t < (n + kTile - 1) / kTile; ++t) {
    as[ty][tx] = row < n && t * kTile + tx < n ? a[row * n + t * kTile + tx] : T(0);
    bs[ty][tx] = column < n && t * kTile + ty < n ? b[(t * kTile + ty) * n + column] : T(0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
/// kMine results a thread, side by side in tiles.
template <int kTile, int kMine>
__global__ void matmul_coarse(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile * kMine + tx;
  float sums[kMine] = {};
  for (int t = 0; t < n / kTile; ++t) {
    as[ty][tx] = a[row * n + t * kTile + tx];
#pragma unroll
    for (int i = 0; i < kMine; ++i) {
      bs[ty][tx] = b[(t * kTile + ty) * n + column + i * kTile];
      __syncthreads();
      for (int k = 0; k < kTile; ++k) sums[i] += as[ty][k] * bs[k][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < kMine; ++i) c[row * n + column + i * kTile] = sums[i];
}
/// 2 x 2 results a thread, in a tile of 32 x 32 of 16 x 16 threads.
__global__ void matmul_four(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][32], bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int t = 0; t < n; t += 32) {
    for (int j = ty; j < 32; j += 16)
      for (int i = tx; i < 32; i += 16) {
        as[j][i] = a[(row + j) * n + t + i];
        bs[j][i] = b[(t + j) * n + column + i];
      }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float a0 = as[ty][k], a1 = as[ty + 16][k], b0 = bs[k][tx], b1 = bs[k][tx + 16];
      s00 += a0 * b0;
      s01 += a0 * b1;
      s10 += a1 * b0;
      s11 += a1 * b1;
    }
    __syncthreads();
  }
  c[(row + ty) * n + column + tx] = s00;
  c[(row + ty) * n + column + tx + 16] = s01;
  c[(row + ty + 16) * n + column + tx] = s10;
  c[(row + ty + 16) * n + column + tx + 16] = s11;
}
__global__ void transpose_writes(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = in[x * width + y];
}
template <class T, int kTile, int kPad>
__global__ void transpose_tile(const T* in, T* out, int width, int height) {
  __shared__ T tile[kTile][kTile + kPad];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x, ty = blockIdx.x * kTile + threadIdx.y;
  if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.x][threadIdx.y];
}
template <bool kGood>
__global__ void matrix_add(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    const int i = kGood ? y * n + x : x * n + y;
    c[i] = a[i] + b[i];
  }
}
__global__ void matrix_add_row(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = 0; j < n; ++j) c[row * n + j] = a[row * n + j] + b[row * n + j];
}
__global__ void matrix_add_column(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < n)
    for (int i = 0; i < n; ++i) c[i * n + column] = a[i * n + column] + b[i * n + column];
}
template <int kBlock>
__global__ void softmax_block(const float* in, float* out, int columns) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float* to = out + blockIdx.x * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += kBlock) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += kBlock) {
    const float e = expf(row[i] - most);
    to[i] = e;
    sum += e;
  }
  s[t] = sum;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  sum = s[0];
  for (int i = t; i < columns; i += kBlock) to[i] /= sum;
}
__global__ void softmax_thread(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = -1e30f, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, in[row * columns + i]);
  for (int i = 0; i < columns; ++i) sum += expf(in[row * columns + i] - most);
  for (int i = 0; i < columns; ++i) out[row * columns + i] = expf(in[row * columns + i] - most) / sum;
}
/// A warp a row, which it keeps in registers.
template <int kEach>
__global__ void softmax_warp(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float x[kEach], most = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    x[i] = lane + 32 * i < columns ? in[row * columns + lane + 32 * i] : -1e30f;
    most = fmaxf(most, x[i]);
  }
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
#pragma unroll
  for (int i = 0; i < kEach; ++i) sum += x[i] = __expf(x[i] - most);
  sum = warp_sum(sum);
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (lane + 32 * i < columns) out[row * columns + lane + 32 * i] = x[i] / sum;
}
__global__ void layer_norm(const float* in, const float* gain, const float* bias, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  const float mean = block_sum(sum) / columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
  const float scale = rsqrtf(block_sum(squares) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

}  // namespace fresh_kernels
