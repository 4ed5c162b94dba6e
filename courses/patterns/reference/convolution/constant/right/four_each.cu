// Each thread computes four elements: one load of a weight serves four products.
#include "contract.cuh"

#include <cstddef>

constexpr int threads = 128, each = 4;

__constant__ float weights[128];

// The thread's elements lie a block apart, so neighbouring threads read and write neighbours. One weight serves four
// products.
template <class Weight>
__device__ void four(const float* x, float* y, int n, int taps, Weight weight) {
  const int i = static_cast<int>(blockIdx.x) * threads * each + static_cast<int>(threadIdx.x);
  float sums[each] = {};
  for (int j = 0; j < taps; ++j) {
    const float w = weight(j);
#pragma unroll
    for (int e = 0; e < each; ++e) {
      const int at = i + e * threads + j - taps / 2;
      if (at >= 0 && at < n) sums[e] += w * x[at];
    }
  }
#pragma unroll
  for (int e = 0; e < each; ++e)
    if (i + e * threads < n) y[i + e * threads] = sums[e];
}

__global__ void four_global(const float* x, const float* mask, float* y, int n, int taps) {
  four(x, y, n, taps, [=](int j) { return mask[j]; });
}

__global__ void four_constant(const float* x, float* y, int n, int taps) {
  four(x, y, n, taps, [](int j) { return weights[j]; });
}

__global__ void four_shared(const float* x, float* y, int n, int taps) {
  __shared__ float tile[threads * each + 127];
  const int t = static_cast<int>(threadIdx.x), begin = static_cast<int>(blockIdx.x) * threads * each;
  for (int k = t; k < threads * each + taps - 1; k += threads) {
    const int at = begin + k - taps / 2;
    tile[k] = at < 0 || at >= n ? 0 : x[at];
  }
  __syncthreads();
  float sums[each] = {};
  for (int j = taps - 1; j >= 0; --j)
    for (int e = 0; e < each; ++e) sums[e] = fmaf(weights[j], tile[e * threads + t + j], sums[e]);
  for (int e = 0; e < each; ++e)
    if (begin + e * threads + t < n) y[begin + e * threads + t] = sums[e];
}

static unsigned blocks(int n) { return static_cast<unsigned>((n + threads * each - 1) / (threads * each)); }

void convolution_global(const float* x, const float* mask, float* y, int n, int taps) {
  if (n > 0) four_global<<<blocks(n), threads>>>(x, mask, y, n, taps);
}

void convolution_constant(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, mask, sizeof(float) * taps, 0, cudaMemcpyDeviceToDevice);
  four_constant<<<blocks(n), threads>>>(x, y, n, taps);
}

void convolution_shared(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, mask, sizeof(float) * taps, 0, cudaMemcpyDeviceToDevice);
  four_shared<<<blocks(n), threads>>>(x, y, n, taps);
}
