// A parent that adds up what its children wrote, as CUDA 5 to 11 allowed: cudaDeviceSynchronize() in a kernel
// waits for all that the block has launched, and for what that has launched. Every block waits for its own.
#include <cstdio>

__global__ void squares(int* out, int first) { out[threadIdx.x] = (first + threadIdx.x) * (first + threadIdx.x); }

__global__ void half(int* out, int first) {
  if (threadIdx.x == 0) {
    squares<<<1, 16>>>(out, first);
    squares<<<1, 16>>>(out + 16, first + 16);
    cudaDeviceSynchronize();
    for (int i = 1; i < 32; ++i) out[0] += out[i];  // what the squares wrote, while this block runs
  }
}

__global__ void whole(int* scratch, int* result) {
  __shared__ int sum;
  int* mine = scratch + 64 * blockIdx.x;
  if (threadIdx.x == 0) {
    sum = 0;
    printf("block %d begins\n", blockIdx.x);
    half<<<1, 32>>>(mine, 64 * blockIdx.x);
    half<<<1, 32>>>(mine + 32, 64 * blockIdx.x + 32);
    cudaDeviceSynchronize();
    sum = mine[0] + mine[32];
    printf("block %d: %d\n", blockIdx.x, sum);
  }
  __syncthreads();
  if (threadIdx.x == 1) atomicAdd(result, sum);
}

__global__ void deeper(int depth, int* errors) {
  errors[depth] = cudaDeviceSynchronize();
  if (depth < 3) deeper<<<1, 1>>>(depth + 1, errors);
}

int main() {
  int *scratch, *result, *errors, host = 0, expected = 0, told[4];
  cudaMalloc(&scratch, 4 * 64 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMalloc(&errors, sizeof told);
  cudaMemset(result, 0, sizeof(int));
  whole<<<4, 64>>>(scratch, result);
  cudaMemcpy(&host, result, sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) expected += i * i;
  printf("%d %d\n", host, host == expected);

  size_t depth = 0;
  cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
  for (int most = (int)depth; most < 4; ++most) {
    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, most);
    deeper<<<1, 1>>>(0, errors);
    cudaMemcpy(told, errors, sizeof told, cudaMemcpyDeviceToHost);
    printf("%d: %d %d %d %d\n", most, told[0], told[1], told[2], told[3]);
  }
  cudaFree(scratch);
  cudaFree(result);
  cudaFree(errors);
}
