#pragma once
// A launch in three calls, as before the brackets <<< >>> had a function of their own.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

namespace cudalabs {

/// A launch that cudaConfigureCall() began: at most as deep as the compiler's own brackets nest.
struct OldLaunch {
  static const int kMost = 256, kBytes = 4096;
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  int count;
  size_t offsets[kMost];
  alignas(16) unsigned char bytes[kBytes];
};

inline OldLaunch& old_launch() {
  static thread_local OldLaunch launch;
  return launch;
}

}  // namespace cudalabs

static inline cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                            cudaStream_t stream = 0) {
  cudalabs::OldLaunch& launch = cudalabs::old_launch();
  launch.grid = grid;
  launch.block = block;
  launch.shared_bytes = shared_bytes;
  launch.stream = stream;
  launch.count = 0;
  return cudaSuccess;
}

static inline cudaError_t cudaSetupArgument(const void* argument, size_t bytes, size_t offset) {
  cudalabs::OldLaunch& launch = cudalabs::old_launch();
  if (launch.count >= cudalabs::OldLaunch::kMost || offset + bytes > cudalabs::OldLaunch::kBytes)
    return cudaErrorInvalidValue;
  std::memcpy(launch.bytes + offset, argument, bytes);
  launch.offsets[launch.count++] = offset;
  return cudaSuccess;
}
template <class T>
cudaError_t cudaSetupArgument(T argument, size_t offset) {
  return ::cudaSetupArgument(static_cast<const void*>(&argument), sizeof argument, offset);
}

/// Arguments may have been set up in any order; a kernel takes them by their offsets.
static inline cudaError_t cudaLaunch(const void* kernel) {
  cudalabs::OldLaunch& launch = cudalabs::old_launch();
  for (int i = 1; i < launch.count; ++i) {
    for (int j = i; j > 0 && launch.offsets[j] < launch.offsets[j - 1]; --j) {
      const size_t other = launch.offsets[j];
      launch.offsets[j] = launch.offsets[j - 1];
      launch.offsets[j - 1] = other;
    }
  }
  void* arguments[cudalabs::OldLaunch::kMost];
  for (int i = 0; i < launch.count; ++i) arguments[i] = launch.bytes + launch.offsets[i];
  return cudaLaunchKernel(kernel, launch.grid, launch.block, arguments, launch.shared_bytes, launch.stream);
}
template <class Kernel>
cudaError_t cudaLaunch(Kernel* kernel) {
  return ::cudaLaunch(reinterpret_cast<const void*>(kernel));
}
