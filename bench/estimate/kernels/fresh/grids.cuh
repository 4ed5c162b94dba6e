#pragma once
// Grids and images: convolutions, stencils.
#include "vectors.cuh"

namespace fresh_kernels {

__constant__ float filter[64] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f, 0.1f};
template <int kRadius>
__global__ void conv2d(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j)
    for (int i = -kRadius; i <= kRadius; ++i)
      if (y + j >= 0 && y + j < height && x + i >= 0 && x + i < width)
        sum += filter[(j + kRadius) * (2 * kRadius + 1) + i + kRadius] * in[(y + j) * width + x + i];
  out[y * width + x] = sum;
}
/// As many threads as the tile with its halo has places; those of the halo only load.
template <int kRadius, int kSide>
__global__ void conv2d_shared(const float* in, float* out, int width, int height) {
  constexpr int kInner = kSide - 2 * kRadius;
  __shared__ float tile[kSide][kSide];
  const int x = blockIdx.x * kInner + threadIdx.x - kRadius, y = blockIdx.y * kInner + threadIdx.y - kRadius;
  tile[threadIdx.y][threadIdx.x] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  __syncthreads();
  const int tx = threadIdx.x - kRadius, ty = threadIdx.y - kRadius;
  if (tx < 0 || ty < 0 || tx >= kInner || ty >= kInner || x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j)
    for (int i = 0; i <= 2 * kRadius; ++i) sum += filter[j * (2 * kRadius + 1) + i] * tile[ty + j][tx + i];
  out[y * width + x] = sum;
}
__global__ void conv1d(const float* in, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  const int first = i - taps / 2;
  for (int k = 0; k < taps; k++)
    if (first + k >= 0 && first + k < n) sum += in[first + k] * filter[k];
  out[i] = sum;
}
/// The filter is an argument like any other.
__global__ void conv1d_plain(const float* in, const float* by, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + taps > n) return;
  float sum = 0;
  for (int k = 0; k < taps; k++) sum += in[i + k] * by[k];
  out[i] = sum;
}
template <int kBlock, int kRadius>
__global__ void conv1d_shared(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x + kRadius;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[t - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    tile[t + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += tile[t + k] * filter[k + kRadius];
  out[i] = sum;
}
__global__ void jacobi(const float* u, const float* f, float* next, int n, float h2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= n - 1 || j >= n - 1) return;
  const int at = j * n + i;
  next[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + h2 * f[at]);
}
__global__ void jacobi_residual(const float* u, const float* f, float* next, float* residual, int n, float h2) {
  const int i = blockIdx.x * 32 + threadIdx.x % 32 + 1, j = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32 + 1;
  float change = 0;
  if (i < n - 1 && j < n - 1) {
    const int at = j * n + i;
    const float x = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + h2 * f[at]);
    change = (x - u[at]) * (x - u[at]);
    next[at] = x;
  }
  change = block_sum(change);
  if (threadIdx.x == 0) atomicAdd(residual, change);
}
template <class T>
__global__ void heat(const T* in, T* out, int n, T k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const int i = (z * n + y) * n + x;
  out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i]);
}
__global__ void life(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
  const int i = y * width + x;
  out[i] = alive == 3 || (alive == 2 && in[i]);
}
__global__ void life_shared(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char cells[18][34];
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 512) {
    const int x = blockIdx.x * 32 + i % 34 - 1, y = blockIdx.y * 16 + i / 34 - 1;
    cells[i / 34][i % 34] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = -cells[threadIdx.y + 1][threadIdx.x + 1];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) alive += cells[threadIdx.y + j][threadIdx.x + i];
  out[y * width + x] = alive == 3 || (alive == 2 && cells[threadIdx.y + 1][threadIdx.x + 1]);
}
__global__ void gray(const uchar4* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const uchar4 p = in[y * width + x];
  out[y * width + x] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}
__global__ void gray_packed(const unsigned char* rgb, unsigned char* out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) out[i] = 0.21f * rgb[3 * i] + 0.71f * rgb[3 * i + 1] + 0.07f * rgb[3 * i + 2];
}
__global__ void blur(const uchar4* in, uchar4* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int r = 0, g = 0, b = 0, count = 0;
  for (int j = max(y - radius, 0); j <= min(y + radius, height - 1); ++j)
    for (int i = max(x - radius, 0); i <= min(x + radius, width - 1); ++i) {
      const uchar4 p = in[j * width + i];
      r += p.x;
      g += p.y;
      b += p.z;
      ++count;
    }
  out[y * width + x] = make_uchar4(r / count, g / count, b / count, 255);
}
__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= width - 1 || y >= height - 1) return;
  const unsigned char *up = in + (y - 1) * width + x, *here = up + width, *down = here + width;
  const float gx = up[1] - up[-1] + 2 * (here[1] - here[-1]) + down[1] - down[-1];
  const float gy = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
  out[y * width + x] = fminf(sqrtf(gx * gx + gy * gy), 255.0f);
}
__global__ void julia(uchar4* out, int width, int height, int steps) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float x = 1.5f * (px - width / 2) / (width / 2), y = 1.5f * (py - height / 2) / (height / 2);
  int i = 0;
  while (i < steps && x * x + y * y < 1000) {
    const float t = x * x - y * y - 0.8f;
    y = 2 * x * y + 0.156f;
    x = t;
    ++i;
  }
  out[py * width + px] = make_uchar4(255 * i / steps, i & 255, 0, 255);
}

}  // namespace fresh_kernels
