// Quicksort by kernels that sort their two parts by kernels and wait for them, so that the parent can check
// the whole range when its call has come back.
#include <cstdio>
#include <cstdlib>

#define SMALL 8

__device__ int unsorted;

__global__ void sort(int* begin, int* end, int depth, int deepest) {
  if (end - begin <= SMALL || depth == deepest) {
    for (int* i = begin + 1; i < end; ++i) {
      for (int* j = i; j > begin && j[-1] > j[0]; --j) {
        int kept = j[0];
        j[0] = j[-1];
        j[-1] = kept;
      }
    }
    return;
  }
  int pivot = begin[(end - begin) / 2], *low = begin, *high = end - 1;
  while (low <= high) {
    while (*low < pivot) ++low;
    while (*high > pivot) --high;
    if (low > high) break;
    int kept = *low;
    *low++ = *high;
    *high-- = kept;
  }
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  if (high >= begin) sort<<<1, 1>>>(begin, high + 1, depth + 1, deepest);
  if (low < end) sort<<<1, 1, 0, other>>>(low, end, depth + 1, deepest);
  if (cudaDeviceSynchronize() != cudaSuccess) atomicAdd(&unsorted, 1000);
  cudaStreamDestroy(other);
  for (int* i = begin + 1; i < end; ++i) {
    if (i[-1] > i[0]) atomicAdd(&unsorted, 1);
  }
}

int main() {
  const int n = 300, deepest = 12;
  int host[n], *device, wrong = 0;
  srand(3);
  for (int i = 0; i < n; ++i) host[i] = rand() % 1000;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, deepest);
  sort<<<1, 1>>>(device, device + n, 0, deepest);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; ++i) wrong += host[i - 1] > host[i];
  int seen = -1;
  cudaMemcpyFromSymbol(&seen, unsorted, sizeof seen);
  printf("%s: %d %d\n", cudaGetErrorString(error), wrong, seen);
  cudaFree(device);
}
