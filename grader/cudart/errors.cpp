#include "grader/cudart/runtime.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

namespace {

/// A program that names an error has seen it.
CudaError named(cudaError_t error) {
  if (error != cudaSuccess) Runtime::get().asked(static_cast<CudaError>(error));
  return static_cast<CudaError>(error);
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return error_name(named(error)); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(named(error)); }

// A lost context shows in every call that needs it, not here: CUDA 13 clears it like any other error.
cudaError_t cudaPeekAtLastError() {
  if (last_error != cudaSuccess) Runtime::get().asked(CudaError::Success);
  return last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}
}
