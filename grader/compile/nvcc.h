#pragma once
// NVIDIA's nvcc: front end, PTX and host object by one command.

#include <memory>

#include "grader/compile/cuda_compiler.h"

namespace cudalabs {

/// nvcc from $CUDA_HOME/bin, $CUDA_PATH/bin, PATH, /usr/local/cuda/bin. Null: there is none. Errors: it is
/// too old, or does not work; they say what to install.
Result<std::shared_ptr<const CudaCompiler>> find_nvcc();

/// What to install where there is none.
extern const char* const kInstallNvcc;

}  // namespace cudalabs
