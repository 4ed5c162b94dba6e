#include "grader/device/protocol/cuda_error.h"

namespace cudalabs {

const char* error_name(CudaError error) {
  if (error == CudaError::Success) return "cudaSuccess";
  switch (error) {
#define CUDALABS_CUDA_ERROR(code, e, text) \
  case CudaError::e:                       \
    return "cudaError" #e;
#include "grader/device/protocol/cuda_errors.def"
#undef CUDALABS_CUDA_ERROR
  }
  return "unrecognized error code";
}

const char* error_text(CudaError error) {
  switch (error) {
#define CUDALABS_CUDA_ERROR(code, e, text) \
  case CudaError::e:                       \
    return text;
#include "grader/device/protocol/cuda_errors.def"
#undef CUDALABS_CUDA_ERROR
  }
  return "unrecognized error code";
}

bool is_sticky(CudaError error) {
  switch (error) {
    case CudaError::IllegalAddress:
    case CudaError::LaunchTimeout:
    case CudaError::Assert:
    case CudaError::HardwareStackError:
    case CudaError::IllegalInstruction:
    case CudaError::MisalignedAddress:
    case CudaError::InvalidAddressSpace:
    case CudaError::InvalidPc:
    case CudaError::LaunchFailure:
    case CudaError::ECCUncorrectable: return true;
    default: return false;
  }
}

}  // namespace cudalabs
