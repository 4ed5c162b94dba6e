// The same work in launches of several shapes: y = 2 x, every element once.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];
}

int main() {
  const int n = 1 << 18;
  std::vector<float> x(n, 1.0f);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const int shapes[][2] = {{n / 128, 128}, {n / 32, 32}, {n, 1}, {4, 128}, {1, 1024}, {1, 1}};
  for (const auto& shape : shapes) twice<<<shape[0], shape[1]>>>(in, out, n);
  std::puts(cudaDeviceSynchronize() == cudaSuccess ? "ok" : "failed");
}
