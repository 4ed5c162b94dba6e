// A lecture's ladder of reductions in double: from a modulo to two loads a thread, the last warp unrolled
// without barriers over volatile memory, and a stride of the whole grid. The second pass is a launch of one
// block; the last line uses __shfl_down().
#include <stdio.h>
#include <stdlib.h>

#define THREADS 128

typedef double real;

__global__ void modulo(real* in, real* out) {
  extern __shared__ real data[];
  unsigned tid = threadIdx.x;
  data[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void strided(real* in, real* out) {
  extern __shared__ real data[];
  unsigned tid = threadIdx.x;
  data[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned index = 2 * s * tid;
    if (index < blockDim.x) data[index] += data[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void sequential(real* in, real* out) {
  extern __shared__ real data[];
  unsigned tid = threadIdx.x;
  data[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

/// The threads of a warp run together, so no barrier is needed, as the books had it before Volta.
__device__ void last_warp(volatile real* data, unsigned tid) {
  data[tid] += data[tid + 32];
  data[tid] += data[tid + 16];
  data[tid] += data[tid + 8];
  data[tid] += data[tid + 4];
  data[tid] += data[tid + 2];
  data[tid] += data[tid + 1];
}

__global__ void unrolled(real* in, real* out) {
  extern __shared__ real data[];
  unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  data[tid] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid < 32) last_warp(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void grid_stride(real* in, real* out, int n) {
  extern __shared__ real data[];
  unsigned tid = threadIdx.x;
  data[tid] = 0;
  for (int i = blockIdx.x * blockDim.x * 2 + tid; i < n; i += gridDim.x * blockDim.x * 2)
    data[tid] += in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid < 32) last_warp(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void shuffled(float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int s = warpSize / 2; s > 0; s /= 2) sum += __shfl_down(sum, s);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, sum);
}

int main() {
  const int n = 1 << 14, bytes = n * sizeof(real), shared = THREADS * sizeof(real);
  real *host = (real*)malloc(bytes), *in, *out, sum, reference = 0;
  for (int i = 0; i < n; i++) reference += host[i] = (i * 37) % 1000 / 8.0;
  cudaMalloc((void**)&in, bytes);
  cudaMalloc((void**)&out, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  for (int kernel = 1; kernel <= 5; kernel++) {
    int blocks = kernel < 4 ? n / THREADS : kernel == 4 ? n / THREADS / 2 : 16;
    switch (kernel) {
      case 1: modulo<<<blocks, THREADS, shared>>>(in, out); break;
      case 2: strided<<<blocks, THREADS, shared>>>(in, out); break;
      case 3: sequential<<<blocks, THREADS, shared>>>(in, out); break;
      case 4: unrolled<<<blocks, THREADS, shared>>>(in, out); break;
      case 5: grid_stride<<<blocks, THREADS, shared>>>(in, out, n); break;
    }
    if (kernel == 1) {  // the last sums on the CPU
      cudaMemcpy(host, out, blocks * sizeof(real), cudaMemcpyDeviceToHost);
      sum = 0;
      for (int i = 0; i < blocks; i++) sum += host[i];
    } else {
      sequential<<<1, blocks, blocks * sizeof(real)>>>(out, out);
      cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    }
    cudaThreadSynchronize();
    printf("kernel %d: %.1f, error %g\n", kernel, sum, sum - reference);
  }
  float ones[64], *few, *all, result = 0;
  for (int i = 0; i < 64; i++) ones[i] = i;
  cudaMalloc((void**)&few, sizeof ones);
  cudaMalloc((void**)&all, sizeof result);
  cudaMemcpy(few, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(all, &result, sizeof result, cudaMemcpyHostToDevice);
  shuffled<<<1, 64>>>(few, all);
  cudaMemcpy(&result, all, sizeof result, cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(in);
  cudaFree(out);
  cudaThreadExit();
  return 0;
}
