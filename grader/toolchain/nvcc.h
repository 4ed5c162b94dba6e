#pragma once
// NVIDIA's nvcc: one command makes PTX and the host object.

#include <memory>

#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs {

/// nvcc from $CUDA_HOME/bin, $CUDA_PATH/bin, PATH, /usr/local/cuda/bin. Null: there is none. Error: it is too
/// old, or does not work; the hint says what to install.
Result<std::shared_ptr<const CudaCompiler>> find_nvcc();

}  // namespace cudalabs
