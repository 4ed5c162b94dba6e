#pragma once
// Members that cudaDeviceProp and cudaPointerAttributes have lost. The old structs derive from today's, and
// the macros at the end put them in their place.

#include <cuda_runtime.h>

struct cudalabs_old_device_prop : cudaDeviceProp {
  int clockRate, memoryClockRate;  // kHz
  int deviceOverlap, kernelExecTimeoutEnabled, computeMode;
  int maxTexture1DLinear, singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

static inline cudaError_t cudaGetDeviceProperties(cudalabs_old_device_prop* prop, int device) {
  cudaError_t error = ::cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(prop), device);
  const struct {
    int* value;
    cudaDeviceAttr attribute;
  } members[] = {{&prop->clockRate, cudaDevAttrClockRate},
                 {&prop->memoryClockRate, cudaDevAttrMemoryClockRate},
                 {&prop->deviceOverlap, cudaDevAttrGpuOverlap},
                 {&prop->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
                 {&prop->computeMode, cudaDevAttrComputeMode},
                 {&prop->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth},
                 {&prop->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio}};
  for (const auto& member : members) {
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(member.value, member.attribute, device);
  }
  prop->cooperativeMultiDeviceLaunch = 0;
  return error;
}

struct cudalabs_old_pointer_attributes : cudaPointerAttributes {
  cudaMemoryType memoryType;  // host or device; managed memory is device memory
  int isManaged;
};

static inline cudaError_t cudaPointerGetAttributes(cudalabs_old_pointer_attributes* found,
                                                   const void* pointer) {
  const cudaError_t error = ::cudaPointerGetAttributes(static_cast<cudaPointerAttributes*>(found), pointer);
  found->isManaged = found->type == cudaMemoryTypeManaged;
  found->memoryType = found->isManaged ? cudaMemoryTypeDevice : found->type;
  return error;
}

#define cudaDeviceProp cudalabs_old_device_prop
#define cudaPointerAttributes cudalabs_old_pointer_attributes
