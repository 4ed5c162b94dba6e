// How many registers a thread has decides how many blocks a multiprocessor holds, and whether one fits at all.
// 64 values that all live at a time need more than the 64 registers that each of 1024 threads can have.
#include <cstdio>

constexpr int kValues = 64;

__device__ void turn(const float* in, float* out) {
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = in[i * blockDim.x + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kValues; ++i) out[i * blockDim.x + threadIdx.x] = values[kValues - 1 - i];
}

__global__ void many(const float* in, float* out) { turn(in, out); }
__global__ void __launch_bounds__(1024) bounded(const float* in, float* out) { turn(in, out); }

template <class Kernel>
void try_it(const char* name, Kernel kernel, int threads, float* memory) {
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, kernel);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0);
  kernel<<<1, threads>>>(memory, memory + kValues * 1024);
  const cudaError_t launched = cudaGetLastError();
  printf("%s with %d threads: %s registers, %d blocks at a time, %s\n", name, threads,
         attributes.numRegs > 64 ? "more than 64" : "at most 64", blocks, cudaGetErrorName(launched));
}

int main() {
  float* memory = nullptr;
  cudaMalloc(&memory, 2 * kValues * 1024 * sizeof(float));
  cudaMemset(memory, 0, 2 * kValues * 1024 * sizeof(float));
  try_it("many", many, 1024, memory);
  try_it("many", many, 256, memory);
  try_it("bounded", bounded, 1024, memory);
  try_it("bounded", bounded, 256, memory);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
