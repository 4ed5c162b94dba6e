#include "grader/cudart/runtime.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return error_name(static_cast<CudaError>(error)); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(static_cast<CudaError>(error)); }

// A lost context shows in every call that needs it, not here: CUDA 13 clears it like any other error.
cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}
}
