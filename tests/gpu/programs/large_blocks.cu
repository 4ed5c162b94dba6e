// A kernel of so many registers that a card has none for a block of 1024 threads, and a block of 1024 threads.
#include <cstdio>

constexpr int values = 96, threads = 1024;

__global__ void mixed(const float* in, float* out) {
  float v[values];
#pragma unroll
  for (int i = 0; i < values; ++i) v[i] = in[i * threads + threadIdx.x];
  __syncthreads();  // all are there before the first is used
  float sum = 0;
#pragma unroll
  for (int i = 0; i < values; ++i) sum += v[i] * v[values - 1 - i];
  out[threadIdx.x] = sum;
}

int main() {
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, mixed);
  if (attributes.numRegs != 0 && attributes.numRegs <= 64) {
    std::printf("%d registers are too few to show anything\n", attributes.numRegs);
    return 2;
  }
  static float in[values * threads], out[threads];
  for (int i = 0; i < values * threads; ++i) in[i] = static_cast<float>(i % 7);
  float *device_in = nullptr, *device_out = nullptr;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  mixed<<<1, threads>>>(device_in, device_out);
  if (const cudaError_t status = cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost)) {
    std::printf("%s\n", cudaGetErrorString(status));
    return 3;
  }
  for (int t = 0; t < threads; ++t) {
    float sum = 0;
    for (int i = 0; i < values; ++i) sum += in[i * threads + t] * in[(values - 1 - i) * threads + t];
    if (out[t] != sum) return 4;
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 5;
}
