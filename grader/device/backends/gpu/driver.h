#pragma once
// The CUDA driver, opened at run time: the grader is one binary for machines with and without a GPU.

#include <cuda.h>  // types and names only; nothing of it is linked

#include <string>

#include "grader/base/result.h"

namespace cudalabs::gpu {

// member, entry point. cuda.h maps some names to their newest version, and Driver looks up the mapped names.
#define CUDALABS_DRIVER_CALLS(CALL)                            \
  CALL(init, cuInit)                                           \
  CALL(error_name, cuGetErrorName)                             \
  CALL(error_string, cuGetErrorString)                         \
  CALL(device_count, cuDeviceGetCount)                         \
  CALL(device_get, cuDeviceGet)                                \
  CALL(device_name, cuDeviceGetName)                           \
  CALL(device_memory, cuDeviceTotalMem)                        \
  CALL(device_attribute, cuDeviceGetAttribute)                 \
  CALL(retain_context, cuDevicePrimaryCtxRetain)               \
  CALL(set_context, cuCtxSetCurrent)                           \
  CALL(synchronize, cuCtxSynchronize)                          \
  CALL(reset_persisting_l2, cuCtxResetPersistingL2Cache)       \
  CALL(memory_info, cuMemGetInfo)                              \
  CALL(allocate, cuMemAlloc)                                   \
  CALL(free, cuMemFree)                                        \
  CALL(copy_2d, cuMemcpy2DAsync)                               \
  CALL(set_bytes, cuMemsetD8Async)                             \
  CALL(set_bytes_2d, cuMemsetD2D8Async)                        \
  CALL(load_module, cuModuleLoadDataEx)                        \
  CALL(unload_module, cuModuleUnload)                          \
  CALL(module_function, cuModuleGetFunction)                   \
  CALL(module_variable, cuModuleGetGlobal)                     \
  CALL(module_function_count, cuModuleGetFunctionCount)        \
  CALL(module_functions, cuModuleEnumerateFunctions)           \
  CALL(function_name, cuFuncGetName)                           \
  CALL(function_attribute, cuFuncGetAttribute)                 \
  CALL(set_function_attribute, cuFuncSetAttribute)             \
  CALL(function_parameter, cuFuncGetParamInfo)                 \
  CALL(launch, cuLaunchKernelEx)                               \
  CALL(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  CALL(create_stream, cuStreamCreateWithPriority)              \
  CALL(destroy_stream, cuStreamDestroy)                        \
  CALL(query_stream, cuStreamQuery)                            \
  CALL(synchronize_stream, cuStreamSynchronize)                \
  CALL(wait_event, cuStreamWaitEvent)                          \
  CALL(create_event, cuEventCreate)                            \
  CALL(destroy_event, cuEventDestroy)                          \
  CALL(record_event, cuEventRecord)                            \
  CALL(query_event, cuEventQuery)                              \
  CALL(synchronize_event, cuEventSynchronize)                  \
  CALL(elapsed, cuEventElapsedTime)

struct Driver {
#define CUDALABS_DRIVER_MEMBER(member, function) decltype(&::function) member = nullptr;
  CUDALABS_DRIVER_CALLS(CUDALABS_DRIVER_MEMBER)
#undef CUDALABS_DRIVER_MEMBER

  /// Opens and initialises the library, once in the life of the process. Errors say whether there is no
  /// driver, a driver that is too old, or one that does not work, and what to do.
  static Result<const Driver*> open();

  /// "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)"
  [[nodiscard]] std::string text(CUresult result) const;
};

}  // namespace cudalabs::gpu
