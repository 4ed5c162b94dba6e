#pragma once
// CUDA's error numbers, names and texts, without the toolkit's headers. Two sides use them: the device
// process, which decides on an error, and our libcudart, which reports it to the program.

#include <cstdint>

namespace cudalabs {

enum class CudaError : std::int32_t {
#define CUDALABS_CUDA_ERROR(code, e, text) e = code,
#include "grader/device/protocol/cuda_errors.def"
#undef CUDALABS_CUDA_ERROR
};

/// "cudaErrorInvalidValue"; "unrecognized error code" if there is no such code.
const char* error_name(CudaError error);
/// "invalid argument", exactly as cudaGetErrorString; "unrecognized error code" if there is no such code.
const char* error_text(CudaError error);

/// True iff CUDA keeps returning this error from every later call of the process: the context is lost.
bool is_sticky(CudaError error);

}  // namespace cudalabs
