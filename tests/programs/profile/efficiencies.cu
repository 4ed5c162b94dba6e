// Kernels of one warp a block whose efficiencies can be computed by hand.

#include <cstdio>

/// Neighbours read and write neighbours.
__global__ void coalesced(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

/// Lane l reads word 4 l, and writes word 8 l.
__global__ void strided(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[8 * i] = in[4 * i];
}

/// The warp stores in one wavefront, and loads in four: lanes 8 apart meet in a bank.
__global__ void conflicts(float* out) {
  __shared__ float data[128];
  data[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[4 * threadIdx.x % 128];
}

/// One of the block's two branches divides the warp. Atomics stay behind branches.
__global__ void divergent(int* out) {
  if (threadIdx.x % 2 == 0) atomicMax(&out[0], static_cast<int>(threadIdx.x));
  if (out[1] >= 0) atomicMin(&out[2], static_cast<int>(threadIdx.x));
}

__global__ void dynamic(float* out) {
  extern __shared__ float data[];
  __shared__ float own[16];
  data[threadIdx.x] = own[threadIdx.x % 16] = 1;
  __syncwarp();
  out[threadIdx.x] = data[31 - threadIdx.x] + own[threadIdx.x % 16];
}

int main() {
  constexpr unsigned kWords = 1 << 16;
  float *in = nullptr, *out = nullptr;
  int* whole = nullptr;
  if (cudaMalloc(&in, kWords * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&out, kWords * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&whole, 32 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(in, 0, kWords * sizeof(float));
  cudaMemset(whole, 0, 32 * sizeof(int));
  for (int i = 0; i < 3; ++i) coalesced<<<8, 32>>>(in, out);
  coalesced<<<dim3(2, 2), 32>>>(in, out);
  strided<<<8, 32>>>(in, out);
  conflicts<<<8, 32>>>(out);
  divergent<<<8, 32>>>(whole);
  dynamic<<<1, 32, 256>>>(out);
  const cudaError_t end = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(end));
  return end == cudaSuccess ? 0 : 1;
}
