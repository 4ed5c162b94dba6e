// The ends of the array have kernels of their own, so the kernel of the middle needs no guard. `shared` keeps a tile
// that moves along the array: what the tile has of the next one is moved, not read again.
#include "contract.cuh"

#include <cstddef>

constexpr int threads = 256;

__constant__ float weights[128];

__device__ float guarded(const float* x, const float* w, int i, int n, int taps) {
  float sum = 0;
  for (int j = 0; j < taps; ++j) {
    const int at = i + j - taps / 2;
    if (at >= 0 && at < n) sum += w[j] * x[at];
  }
  return sum;
}

// The first `left` elements and those from `right` on.
__global__ void ends(const float* x, const float* mask, float* y, int n, int taps, int left, int right) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= left) i += right - left;
  if (i < n) y[i] = guarded(x, mask ? mask : weights, i, n, taps);
}

__global__ void middle(const float* x, const float* mask, float* y, int taps, int left, int right) {
  const int i = left + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= right) return;
  const float* first = x + i - taps / 2;
  float sum = 0;
  if (mask)
    for (int j = 0; j < taps; ++j) sum += mask[j] * first[j];
  else
    for (int j = 0; j < taps; ++j) sum += weights[j] * first[j];
  y[i] = sum;
}

static void launch(const float* x, const float* mask, float* y, int n, int taps) {
  const int left = min(taps / 2, n), right = max(left, n - (taps - 1 - taps / 2));
  const int outer = left + n - right;
  if (outer > 0) ends<<<(outer + 63) / 64, 64>>>(x, mask, y, n, taps, left, right);
  if (right > left)
    middle<<<(right - left + threads - 1) / threads, threads>>>(x, mask, y, taps, left, right);
}

constexpr int rounds = 4;

__global__ void moving_tile(const float* x, float* y, int n, int taps) {
  __shared__ float tile[threads + 127];
  const int t = static_cast<int>(threadIdx.x), halo = taps - 1;
  int begin = static_cast<int>(blockIdx.x) * threads * rounds;
  for (int k = t; k < halo; k += threads) {
    const int at = begin - taps / 2 + k;
    tile[k] = at >= 0 && at < n ? x[at] : 0;
  }
  for (int round = 0; round < rounds && begin < n; ++round, begin += threads) {
    const int at = begin - taps / 2 + halo + t;
    tile[halo + t] = at >= 0 && at < n ? x[at] : 0;
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < taps; ++j) sum += weights[j] * tile[t + j];
    if (begin + t < n) y[begin + t] = sum;
    const float kept = t < halo ? tile[threads + t] : 0;
    __syncthreads();
    if (t < halo) tile[t] = kept;
  }
}

void convolution_global(const float* x, const float* mask, float* y, int n, int taps) {
  if (n > 0) launch(x, mask, y, n, taps);
}

void convolution_constant(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  cudaMemcpyToSymbolAsync(weights, mask, sizeof(float) * taps, 0, cudaMemcpyDeviceToDevice);
  launch(x, nullptr, y, n, taps);
}

void convolution_shared(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  cudaMemcpyToSymbolAsync(weights, mask, sizeof(float) * taps, 0, cudaMemcpyDeviceToDevice);
  moving_tile<<<(n + threads * rounds - 1) / (threads * rounds), threads>>>(x, y, n, taps);
}
