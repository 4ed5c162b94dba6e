// A grid of the card's size that is asked for, four loads under way in each step. `vector` steps through the array with
// a fixed grid of float4, too. `simple` has blocks of one warp.
#include "contract.cuh"

__global__ void one_warp(int n, float alpha, const float* x, float* y) {
  const long long i = blockIdx.x * 32ll + threadIdx.x;
  if (i < n) y[i] = __fadd_rn(__fmul_rn(alpha, x[i]), y[i]);
}

void saxpy_simple(int n, float alpha, const float* x, float* y) {
  if (n > 0) one_warp<<<(n + 31) / 32, 32>>>(n, alpha, x, y);
}

static int card_blocks() {
  int device = 0, processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  return processors * 2;
}

__global__ void four_loads(int n, float alpha, const float* x, float* y) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    float a[4], b[4];
    for (int k = 0; k < 4; ++k) a[k] = x[i + k * step];
    for (int k = 0; k < 4; ++k) b[k] = y[i + k * step];
    for (int k = 0; k < 4; ++k) y[i + k * step] = a[k] * alpha + b[k];
  }
  for (; i < n; i += step) y[i] += x[i] * alpha;
}

void saxpy_grid_stride(int n, float alpha, const float* x, float* y) {
  four_loads<<<card_blocks(), 512>>>(n, alpha, x, y);
}

__global__ void steps_of_four(int n, float alpha, const float* x, float* y) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int g = id; g < n / 4; g += step) {
    const float4 a = reinterpret_cast<const float4*>(x)[g];
    const float4 b = reinterpret_cast<const float4*>(y)[g];
    reinterpret_cast<float4*>(y)[g] = make_float4(alpha * a.x + b.x, alpha * a.y + b.y, alpha * a.z + b.z, alpha * a.w + b.w);
  }
  const int last = n - 1 - id;
  if (last >= n / 4 * 4) y[last] += alpha * x[last];
}

void saxpy_vector(int n, float alpha, const float* x, float* y) {
  steps_of_four<<<card_blocks(), 256>>>(n, alpha, x, y);
}
