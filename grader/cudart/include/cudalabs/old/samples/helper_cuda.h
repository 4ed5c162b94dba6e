#pragma once
// The part of NVIDIA's samples' helper_cuda.h that programs use, written anew over the runtime API.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "helper_string.h"

static inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class T>
void check(T result, const char* call, const char* file, int line) {
  if (result == T(0)) return;
  std::fprintf(stderr, "CUDA error at %s:%d: %s (%d) of \"%s\"\n", file, line,
               cudaGetErrorName(static_cast<cudaError_t>(result)), static_cast<int>(result), call);
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

static inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, static_cast<int>(error),
               cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
static inline void __printLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, static_cast<int>(error),
               cudaGetErrorString(error));
}
#ifndef DEVICE_RESET
#define DEVICE_RESET cudaDeviceReset();
#endif
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

static inline int ftoi(float value) {
  return value >= 0 ? static_cast<int>(value + 0.5f) : static_cast<int>(value - 0.5f);
}

/// FP32 units of a multiprocessor, by the CUDA Programming Guide's table of arithmetic throughput.
static inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major * 10 + minor) {
    case 30:
    case 32:
    case 35:
    case 37: return 192;
    case 50:
    case 52:
    case 53: return 128;
    case 60: return 64;
    case 61:
    case 62: return 128;
    case 70:
    case 72:
    case 75:
    case 80: return 64;
    default: return 128;
  }
}

static inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor < 5 ? "Volta" : "Turing";
    case 8: return minor < 9 ? "Ampere" : "Ada";
    case 9: return "Hopper";
    default: return "Unknown";
  }
}

static inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    std::fprintf(stderr, "gpuDeviceInit(): there is no CUDA device\n");
    std::exit(EXIT_FAILURE);
  }
  if (device < 0) device = 0;
  if (device >= count) return -device;
  checkCudaErrors(cudaSetDevice(device));
  return device;
}

static inline int gpuGetMaxGflopsDeviceId() { return 0; }

static inline int findCudaDevice(int argc, const char** argv) {
  int device = 0;
  if (checkCmdLineFlag(argc, argv, "device")) device = getCmdLineArgumentInt(argc, argv, "device=");
  device = gpuDeviceInit(device);
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceProperties(&prop, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, prop.name, prop.major,
              prop.minor);
  return device;
}

static inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0, here_major = 0, here_minor = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&here_major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&here_minor, cudaDevAttrComputeCapabilityMinor, device));
  return here_major > major || (here_major == major && here_minor >= minor);
}
