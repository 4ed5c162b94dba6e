// Which call returns which error, and what stays. The expected output was taken from a real GPU.
#include <cstdio>

#define SHOW(call) printf("%s -> %s\n", #call, cudaGetErrorName(call))

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void dynamic(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (out) out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void outside(int* out) { out[size_t{1} << 40] = 1; }
void host_function() {}

template <class Kernel, class... Arguments>
cudaError_t launch(Kernel kernel, dim3 grid, dim3 block, size_t shared, Arguments... arguments) {
  kernel<<<grid, block, shared>>>(arguments...);
  return cudaGetLastError();
}

int main() {
  int* a = nullptr;
  float h[4] = {};
  SHOW(cudaMalloc(&a, 1024));
  SHOW(launch(nothing, 1, 1024, 0));
  SHOW(launch(nothing, 1, 1025, 0));
  SHOW(launch(nothing, 1, dim3(1, 1, 65), 0));
  SHOW(launch(nothing, 0, 32, 0));
  SHOW(launch(nothing, 1, 0, 0));
  SHOW(launch(nothing, dim3(1, 65536), 32, 0));
  SHOW(launch(bounded, 1, 129, 0));
  SHOW(launch(dynamic, 1, 32, 48 * 1024, a));
  SHOW(launch(dynamic, 1, 32, 48 * 1024 + 1, a));
  SHOW(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  SHOW(launch(dynamic, 1, 32, 64 * 1024, a));
  SHOW(launch(dynamic, 1, 32, 64 * 1024 + 4, a));
  SHOW(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  SHOW(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  SHOW(cudaGetLastError());
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(host_function)));
  SHOW(cudaPeekAtLastError());
  SHOW(cudaPeekAtLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(host_function), dim3(1), dim3(1), nullptr, 0, nullptr));
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(nothing), dim3(1), dim3(1025), nullptr, 0, nullptr));
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(nothing), dim3(0), dim3(1), nullptr, 0, nullptr));
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(nothing), dim3(1), dim3(1), nullptr, 1 << 20, nullptr));
  SHOW(cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
  SHOW(cudaFuncSetAttribute(reinterpret_cast<const void*>(host_function), cudaFuncAttributeMaxDynamicSharedMemorySize, 64));
  int blocks = -1;
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 2048, 0));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 0, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  printf("%d\n", blocks);
  SHOW(cudaFuncGetAttributes(&attributes, dynamic));
  printf("%d %d\n", attributes.maxDynamicSharedSizeBytes, attributes.maxThreadsPerBlock);
  SHOW(cudaMalloc(&a, size_t{1} << 50));
  SHOW(cudaMalloc(&a, 0));
  printf("%s\n", a == nullptr ? "null" : "not null");
  SHOW(cudaMalloc(static_cast<int**>(nullptr), 4));
  SHOW(cudaMalloc(&a, 64));
  SHOW(cudaMemcpy(h, a, 16, static_cast<cudaMemcpyKind>(9)));
  SHOW(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
  SHOW(cudaMemcpy2D(a, 4, h, 8, 8, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(a, 4, h, 8, 8, 1, cudaMemcpyHostToDevice));
  int* b = nullptr;
  SHOW(cudaMalloc(&b, 64));
  SHOW(cudaMemcpy(b, a, 64, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(b, h, 16, cudaMemcpyDefault));
  SHOW(cudaMemcpy(h, h + 2, 8, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, a, 8, cudaMemcpyDeviceToHost));
  SHOW(cudaMemset(h, 0, 8));
  SHOW(cudaMemset(nullptr, 0, 8));
  SHOW(cudaFree(b + 4));
  SHOW(cudaFree(b));
  SHOW(cudaFree(reinterpret_cast<void*>(16)));
  SHOW(cudaFree(a));
  SHOW(cudaFree(a));
  SHOW(cudaSetDevice(77));
  SHOW(cudaSetDevice(0));
  int value = 0;
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 77));
  cudaEvent_t start, end, untimed;
  float ms = -1;
  SHOW(cudaEventCreate(&start));
  SHOW(cudaEventCreate(&end));
  SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SHOW(cudaEventElapsedTime(&ms, start, end));
  SHOW(cudaEventQuery(start));
  SHOW(cudaEventRecord(start));
  SHOW(cudaEventRecord(end));
  SHOW(cudaEventRecord(untimed));
  SHOW(cudaEventSynchronize(end));
  SHOW(cudaEventElapsedTime(&ms, start, end));
  printf("%s\n", ms >= 0 ? "not negative" : "negative");
  SHOW(cudaEventElapsedTime(&ms, start, untimed));
  SHOW(cudaFreeHost(h));
  SHOW(cudaGetLastError());
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(0);
  SHOW(cudaStreamCreateWithFlags(&stream, 77));
  SHOW(cudaEventCreateWithFlags(&start, 77));
  SHOW(cudaStreamDestroy(nullptr));
  SHOW(cudaStreamSynchronize(nullptr));
  SHOW(cudaHostUnregister(h));
  SHOW(cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 150));
  SHOW(cudaFuncSetAttribute(nothing, static_cast<cudaFuncAttribute>(99), 1));
  SHOW(cudaDeviceSetLimit(static_cast<cudaLimit>(55), 1));
  SHOW(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  SHOW(cudaGetLastError());
  printf("-- a fault\n");
  cudaMalloc(&a, 64);
  SHOW(launch(outside, 1, 1, 0, a));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaMalloc(&a, 4));
  SHOW(cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost));
  SHOW(launch(nothing, 1, 1, 0));
  SHOW(cudaFree(a));
}
