// What a lecture of 2013 asks each device for, with members that cudaDeviceProp has lost.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>

#define CUDA_CHECK(call)                                                                 \
  if ((call) != cudaSuccess) {                                                           \
    cudaError_t err = cudaGetLastError();                                                \
    fprintf(stderr, "CUDA error calling \"" #call "\", code is %d\n", err);              \
    return 1;                                                                            \
  }

int main() {
  int deviceCount, driver = 0, runtime = 0;
  cudaDeviceProp devProp;
  CUDA_CHECK(cudaGetDeviceCount(&deviceCount));
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  printf("Found %d devices, %d\n", deviceCount, driver >= runtime && runtime >= 5000);
  for (int device = 0; device < deviceCount; device++) {
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaGetDeviceProperties(&devProp, device));
    printf("Device %d\n", device);
    printf("Compute capability     : %d.%d\n", devProp.major, devProp.minor);
    printf("Name                   : %d\n", devProp.name[0] != '\0');
    printf("Total Global Memory    : %d\n", devProp.totalGlobalMem >= (1u << 30));
    printf("Shared memory per block: %d\n", (int)devProp.sharedMemPerBlock);
    printf("Registers per block    : %d\n", devProp.regsPerBlock);
    printf("Warp size              : %d\n", devProp.warpSize);
    printf("Max threads per block  : %d\n", devProp.maxThreadsPerBlock);
    printf("Total constant memory  : %d\n", (int)devProp.totalConstMem);
    printf("Clock rate, kHz        : %d\n", devProp.clockRate > 100000);
    printf("Memory clock, kHz      : %d\n", devProp.memoryClockRate > 100000);
    printf("Texture alignment      : %d\n", (int)devProp.textureAlignment);
    printf("Device overlap         : %d\n", devProp.deviceOverlap);
    printf("Multiprocessor count   : %d\n", devProp.multiProcessorCount > 0);
    printf("Timeout                : %d\n", devProp.kernelExecTimeoutEnabled);
    printf("Mode                   : %d\n", devProp.computeMode == cudaComputeModeDefault);
    printf("Max threads dim        : %d %d %d\n", devProp.maxThreadsDim[0], devProp.maxThreadsDim[1],
           devProp.maxThreadsDim[2]);
    printf("Max grid size          : %d %d\n", devProp.maxGridSize[0], devProp.maxGridSize[1]);
  }
  CUDA_CHECK(cudaDeviceReset());
  return 0;
}
