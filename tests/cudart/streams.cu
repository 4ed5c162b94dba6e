// Streams, events, callbacks, printf, cooperative launches, occupancy, properties.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

static void check(const char* what, bool good) { printf("%s: %s\n", what, good ? "ok" : "WRONG"); }

__global__ void add(int* data, int value) { atomicAdd(data, value); }
__global__ void hello(int n) { printf("hello from %d of %d\n", threadIdx.x, n); }
__global__ void tile_sum(const float* in, float* out) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (float value : tile) sum += value;
    *out = sum;
  }
}
void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void* data) { *static_cast<int*>(data) = status == cudaSuccess ? 7 : 8; }
void CUDART_CB host_function(void* data) { *static_cast<int*>(data) += 1; }

int main() {
  size_t limit = 0;
  check("limit", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21) == cudaSuccess && cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize) == cudaSuccess &&
                     limit >= 1 << 21);
  int* data = nullptr;
  cudaMalloc(&data, sizeof(int));
  cudaStream_t first, second, third;
  check("create", cudaStreamCreate(&first) == cudaSuccess && cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess &&
                      cudaStreamCreateWithPriority(&third, cudaStreamNonBlocking, -1) == cudaSuccess);
  unsigned flags = 9;
  int priority = 9;
  check("flags", cudaStreamGetFlags(second, &flags) == cudaSuccess && flags == cudaStreamNonBlocking &&
                     cudaStreamGetPriority(third, &priority) == cudaSuccess && priority == -1);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaMemsetAsync(data, 0, sizeof(int), first);
  cudaEventRecord(start, first);
  check("wait", cudaStreamWaitEvent(second, start, 0) == cudaSuccess);
  add<<<2, 64, 0, second>>>(data, 3);
  cudaEventRecord(end, second);
  check("sync", cudaEventSynchronize(end) == cudaSuccess && cudaStreamQuery(second) == cudaSuccess && cudaEventQuery(end) == cudaSuccess);
  int result = 0;
  check("result", cudaMemcpyAsync(&result, data, sizeof result, cudaMemcpyDeviceToHost, second) == cudaSuccess &&
                      cudaStreamSynchronize(second) == cudaSuccess && result == 384);
  float ms = -1;
  check("elapsed", cudaEventElapsedTime(&ms, start, end) == cudaSuccess && ms >= 0);
  int called = 0;
  check("callback", cudaStreamAddCallback(first, on_stream, &called, 0) == cudaSuccess && cudaLaunchHostFunc(first, host_function, &called) == cudaSuccess &&
                        cudaStreamSynchronize(first) == cudaSuccess && called == 8);
  check("destroy", cudaStreamDestroy(first) == cudaSuccess && cudaStreamDestroy(second) == cudaSuccess && cudaEventDestroy(start) == cudaSuccess);

  printf("before\n");
  hello<<<1, 2>>>(2);
  check("printf", cudaDeviceSynchronize() == cudaSuccess);

  int value = 5;
  void* arguments[] = {&data, &value};
  check("cudaLaunchKernel", cudaLaunchKernel(reinterpret_cast<const void*>(add), dim3(1), dim3(10), arguments, 0, 0) == cudaSuccess);
  check("cooperative", cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add), dim3(1), dim3(10), arguments, 0, 0) == cudaSuccess);
  check("cooperative too large",
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add), dim3(1000000), dim3(1024), arguments, 0, 0) == cudaErrorCooperativeLaunchTooLarge);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(10);
  check("cudaLaunchKernelEx", cudaLaunchKernelEx(&config, add, data, 1) == cudaSuccess);
  cudaMemcpy(&result, data, sizeof result, cudaMemcpyDeviceToHost);
  check("all ran", result == 384 + 50 + 50 + 10);
  cudaGetLastError();

  cudaFuncAttributes attributes;
  check("function attributes", cudaFuncGetAttributes(&attributes, tile_sum) == cudaSuccess && attributes.sharedSizeBytes == 1024 &&
                                   attributes.maxThreadsPerBlock == 1024);
  int blocks = 0, grid = 0, block = 0;
  check("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tile_sum, 256, 0) == cudaSuccess && blocks == 8);
  check("block size", cudaOccupancyMaxPotentialBlockSize(&grid, &block, tile_sum) == cudaSuccess && grid > 0 && block > 0 && block <= 1024);
  int count = 0, device = -1, version = 0;
  cudaDeviceProp properties;
  check("device", cudaGetDeviceCount(&count) == cudaSuccess && count >= 1 && cudaGetDevice(&device) == cudaSuccess && device == 0);
  check("properties", cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 &&
                          properties.sharedMemPerBlock == 49152 && strlen(properties.name) > 0);
  check("attribute", cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess && value == properties.multiProcessorCount);
  check("version", cudaRuntimeGetVersion(&version) == cudaSuccess && version >= 12000 && cudaDriverGetVersion(&version) == cudaSuccess);
  check("cache", cudaFuncSetCacheConfig(tile_sum, cudaFuncCachePreferShared) == cudaSuccess && cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  check("reset", cudaDeviceReset() == cudaSuccess);
}
