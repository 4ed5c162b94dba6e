// The heap of kernels: 8 MiB by default, kept over launches, changed only before the first kernel that uses it.
#include <cstdio>
#include <cstdlib>

__global__ void plain(int* out) { *out = 1; }

__global__ void grab(int bytes, char** kept, unsigned* refused) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  kept[i] = static_cast<char*>(malloc(bytes));
  if (kept[i] == nullptr)
    atomicAdd(refused, 1u);
  else
    kept[i][bytes - 1] = 1;
}

__device__ void release(char* p) { free(p); }

__global__ void give_back(char** kept) { release(kept[blockIdx.x * blockDim.x + threadIdx.x]); }

// Usage: heap.cu [MiB]
int main(int argc, char** argv) {
  constexpr int kBytes = 256 << 10;
  char** kept;
  unsigned* refused;
  size_t limit = 0;
  cudaMallocManaged(&kept, 128 * sizeof(char*));
  cudaMallocManaged(&refused, sizeof *refused);
  plain<<<1, 1>>>(reinterpret_cast<int*>(refused));
  cudaDeviceSynchronize();
  if (argc > 1)
    std::printf("set: %s\n",
                cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(std::atoi(argv[1])) << 20)));
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  std::printf("heap: %zu\n", limit);
  // Not freed, so the second launch finds less; freed, so the third finds as much as the first.
  for (int round = 0; round < 3; ++round) {
    *refused = 0;
    grab<<<1, round == 1 ? 32 : 24>>>(kBytes, kept + (round == 1 ? 32 : 0), refused);
    cudaDeviceSynchronize();
    std::printf("round %d: %s refused\n", round, *refused == 0 ? "none" : "some");
    if (round == 1) {
      give_back<<<2, 32>>>(kept);
      cudaDeviceSynchronize();
    }
  }
  std::printf("afterwards: %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32u << 20)));
  std::printf("of the others: %s %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitStackSize, 2048)),
              cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16u << 20)));
  std::printf("depth of synchronisation: %s %s\n",
              cudaGetErrorName(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth)),
              cudaGetErrorName(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4)));
  cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity);
  std::printf("L2 fetches %zu bytes: %s %s", limit,
              cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 100)),
              cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 129)));
  cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity);
  std::printf(", then %zu\n", limit);
  give_back<<<1, 24>>>(kept);
  cudaDeviceSynchronize();
  cudaFree(kept);
  cudaFree(refused);
}
