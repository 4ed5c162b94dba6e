#include "grader/device/protocol/outcome.h"

#include <algorithm>

#include "grader/device/protocol/cuda_error.h"

namespace cudalabs {

bool follows_fault(const ApiError& error) {
  constexpr CudaError kErrors[] = {
#define CUDALABS_CUDA_ERROR(code, e, text) CudaError::e,
#include "grader/device/protocol/cuda_errors.def"
#undef CUDALABS_CUDA_ERROR
  };
  return std::ranges::any_of(kErrors,
                             [&](CudaError e) { return is_sticky(e) && error.error == error_name(e); });
}

}  // namespace cudalabs
