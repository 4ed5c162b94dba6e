// The exact sine in a grid-stride loop; start and step copied through the host, four elements a thread.
#include "contract.cuh"

#include <cmath>

__global__ void strided(const float* grid, float* y, int n) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += gridDim.x * blockDim.x)
    y[i] = sinf(sqrtf(fmaf(static_cast<float>(i), grid[1], grid[0])));
}

void table_global(const float* grid, float* y, int n) { strided<<<120, 192>>>(grid, y, n); }

struct Range {
  float start, step;
};
__constant__ Range range;

__global__ void four(float* y, int n) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = __sinf(__fsqrt_rn(range.start + static_cast<float>(first + k) * range.step));
  if (first + 4 <= n) {
    *reinterpret_cast<float4*>(y + first) = make_float4(v[0], v[1], v[2], v[3]);
  } else {
    for (int k = 0; first + k < n; ++k) y[first + k] = v[k];
  }
}

void table_constant(const float* grid, float* y, int n) {
  Range host{};
  if (n == 0) return;
  cudaMemcpy(&host, grid, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyToSymbol(range, &host, sizeof host);
  four<<<(n - 1) / 512 + 1, 128>>>(y, n);
}
