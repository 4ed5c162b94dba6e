#include "grader/cudart/runtime.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return error_name(static_cast<CudaError>(error)); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(static_cast<CudaError>(error)); }

cudaError_t cudaPeekAtLastError() {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  return runtime.sticky() != CudaError::Success ? static_cast<cudaError_t>(runtime.sticky()) : last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}
}
