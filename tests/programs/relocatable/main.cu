// A program whose device code is linked across files.
#include <cassert>
#include <cstdio>

#include "shared.cuh"

static __device__ int own = 100;  // the other file has one of the same name
static __constant__ int step[2] = {1, 2};

static __device__ __noinline__ int mine(int x) { return x + own; }

__global__ void compute(int* out) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = from_there(static_cast<int>(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = mine(scratch[threadIdx.x]) + table[threadIdx.x % 4] + step[threadIdx.x % 2] +
                     chosen()(static_cast<int>(threadIdx.x));
  atomicAdd(&total, 1);
  if (threadIdx.x == 0) printf("kernel of main\n");
}

int main() {
  int *out, host[32], counted = 0;
  cudaMalloc(&out, sizeof host);
  fill_table();
  const int hundred = 200;
  cudaMemcpyToSymbol(own, &hundred, sizeof hundred);
  compute<<<1, 32, 32 * sizeof(int)>>>(out);
  scale<3><<<1, 32>>>(out);
  scale_there(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&counted, total, sizeof counted);
  printf("%d %d %d, total %d: %s\n", host[0], host[1], host[31], counted,
         cudaGetErrorString(cudaGetLastError()));
  return cudaFree(out);
}
