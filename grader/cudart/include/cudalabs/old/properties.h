#pragma once
// Members that cudaDeviceProp and cudaPointerAttributes have lost. The old structs derive from today's.

#include <cuda_runtime.h>

namespace cudalabs {

struct OldDeviceProp : ::cudaDeviceProp {
  int clockRate, memoryClockRate;  // kHz
  int deviceOverlap, kernelExecTimeoutEnabled, computeMode;
  int maxTexture1DLinear, singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

inline cudaError_t old_properties(OldDeviceProp* prop, int device) {
  cudaError_t error = ::cudaGetDeviceProperties(static_cast<::cudaDeviceProp*>(prop), device);
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

struct OldPointerAttributes : ::cudaPointerAttributes {
  cudaMemoryType memoryType;  // host or device; managed memory is device memory
  int isManaged;
};

inline cudaError_t old_attributes(OldPointerAttributes* found, const void* pointer) {
  const cudaError_t error = ::cudaPointerGetAttributes(static_cast<::cudaPointerAttributes*>(found), pointer);
  found->isManaged = found->type == cudaMemoryTypeManaged;
  found->memoryType = found->isManaged ? cudaMemoryTypeDevice : found->type;
  return error;
}

}  // namespace cudalabs

static inline cudaError_t cudaGetDeviceProperties(cudalabs::OldDeviceProp* prop, int device) {
  return cudalabs::old_properties(prop, device);
}
static inline cudaError_t cudaPointerGetAttributes(cudalabs::OldPointerAttributes* found,
                                                   const void* pointer) {
  return cudalabs::old_attributes(found, pointer);
}
#ifdef CUDALABS_OLD_MEMBERS
// `struct cudaDeviceProp p;` must name a struct, so each has one of its own name outside of the namespace.
struct cudalabs_old_device_prop : cudalabs::OldDeviceProp {};
struct cudalabs_old_pointer_attributes : cudalabs::OldPointerAttributes {};
#define cudaDeviceProp cudalabs_old_device_prop
#define cudaPointerAttributes cudalabs_old_pointer_attributes
#endif
