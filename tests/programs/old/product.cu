// A product of matrices as lectures of 2013 have it: in global memory, in shared memory with and without
// conflicts, and on the CPU; all are timed by events, and the host waits by cudaThreadSynchronize().
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_SIZE 32
#define N 64

typedef double real;

__global__ void gmem(real* a, real* b, int n, real* c) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  real sum = 0.0;
  int ia = n * BLOCK_SIZE * by + n * ty, ib = BLOCK_SIZE * bx + tx;
  for (int k = 0; k < n; k++) sum += a[ia + k] * b[ib + k * n];
  int ic = n * BLOCK_SIZE * by + BLOCK_SIZE * bx;
  c[ic + n * ty + tx] = sum;
}

// The tile of b lies transposed if `turned`, its rows padded by one: free of conflicts with banks of 8 bytes.
template <bool turned>
__global__ void smem(real* a, real* b, int n, real* c) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = n * BLOCK_SIZE * by, aEnd = aBegin + n - 1;
  real sum = 0.0;
  for (int ia = aBegin, ib = BLOCK_SIZE * bx; ia <= aEnd; ia += BLOCK_SIZE, ib += BLOCK_SIZE * n) {
    __shared__ real as[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ real bs[BLOCK_SIZE][BLOCK_SIZE + 1];
    as[ty][tx] = a[ia + n * ty + tx];
    if (turned)
      bs[tx][ty] = b[ib + n * ty + tx];
    else
      bs[ty][tx] = b[ib + n * ty + tx];
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE; k++) sum += as[ty][k] * (turned ? bs[tx][k] : bs[k][tx]);
    __syncthreads();
  }
  c[n * BLOCK_SIZE * by + BLOCK_SIZE * bx + n * ty + tx] = sum;
}

int main(int argc, char* argv[]) {
  int numBytes = N * N * sizeof(real);
  real *adev, *bdev, *cdev, *a, *b, *c, *reference;
  a = (real*)malloc(numBytes);
  b = (real*)malloc(numBytes);
  c = (real*)malloc(numBytes);
  reference = (real*)malloc(numBytes);
  for (int i = 0; i < N * N; i++) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
  }
  if (argc < 2) cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (argc == 3) cudaFuncSetSharedMemConfig(smem<true>, cudaSharedMemBankSizeEightByte);

  dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
  dim3 blocks(N / threads.x, N / threads.y);
  cudaMalloc((void**)&adev, numBytes);
  cudaMalloc((void**)&bdev, numBytes);
  cudaMalloc((void**)&cdev, numBytes);
  cudaMemcpy(adev, a, numBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(bdev, b, numBytes, cudaMemcpyHostToDevice);

  cudaEvent_t start, stop;
  float time[4];
  cudaEventCreate(&start);
  cudaEventCreate(&stop);

  cudaEventRecord(start, 0);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      reference[i * N + j] = 0;
      for (int k = 0; k < N; k++) reference[i * N + j] += a[i * N + k] * b[k * N + j];
    }
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&time[0], start, stop);
  printf("CPU: %d\n", time[0] >= 0);

  for (int kernel = 1; kernel < 4; kernel++) {
    cudaMemset(cdev, 0, numBytes);
    cudaEventRecord(start, 0);
    if (kernel == 1) gmem<<<blocks, threads>>>(adev, bdev, N, cdev);
    if (kernel == 2) smem<false><<<blocks, threads>>>(adev, bdev, N, cdev);
    if (kernel == 3) smem<true><<<blocks, threads>>>(adev, bdev, N, cdev);
    cudaThreadSynchronize();
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&time[kernel], start, stop);
    cudaMemcpy(c, cdev, numBytes, cudaMemcpyDeviceToHost);
    double worst = 0.0;
    for (int i = 0; i < N * N; i++) {
      double difference = c[i] > reference[i] ? c[i] - reference[i] : reference[i] - c[i];
      if (difference > worst) worst = difference;
    }
    printf("kernel %d: %d, worst difference %g\n", kernel, time[kernel] > 0, worst);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(adev);
  cudaFree(bdev);
  cudaFree(cdev);
  free(a);
  free(b);
  free(c);
  free(reference);
  return 0;
}
